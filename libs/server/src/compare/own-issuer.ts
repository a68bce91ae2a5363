import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ServerEnv } from '../env/server.env.js';

const AUDIENCE = 'comparison';
const LIFETIME = '1h';

/** An issuer for services that only this process reaches: it has a key of its own, so that nobody else can sign a token for them. */
export interface OwnIssuer {
  /** Settings of a service that accepts its tokens, and no others. */
  readonly settings: Partial<ServerEnv>;
  token(tenant: string, scopes: readonly string[]): Promise<string>;
  close(): void;
}

export async function startOwnIssuer(): Promise<OwnIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: AUDIENCE, alg: 'ES256', use: 'sig' }] });
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(keys));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: {
      OAUTH_ISSUER: url,
      OAUTH_JWKS_URI: url,
      OAUTH_AUDIENCE: [AUDIENCE],
      OAUTH_AUDIENCE_CLAIM: 'aud',
      OAUTH_TENANT_CLAIM: 'tenant',
      OAUTH_SCOPE_CLAIMS: ['scope'],
      OAUTH_SCOPE_NAMES: new Map(),
    },
    token: (tenant, scopes) =>
      new SignJWT({ tenant, scope: scopes.join(' '), sub: AUDIENCE })
        .setProtectedHeader({ alg: 'ES256', kid: AUDIENCE })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setExpirationTime(LIFETIME)
        .sign(privateKey),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
