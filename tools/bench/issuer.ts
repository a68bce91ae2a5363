import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const AUDIENCE = 'open-access-fibre';
const KEY_ID = 'bench';
const LIFETIME = '6h';

/** Makes a signed access token, each time another one. */
export type Token = (tenant: string, scope: string) => Promise<string>;

export interface Issuer {
  url: string;
  token: Token;
  close: () => void;
}

/** The least that a service needs of an OpenID provider: metadata, a key set, tokens signed by RS256. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => {
    const document = request.url === '/jwks' ? { keys: [key] } : { issuer: url, jwks_uri: `${url}/jwks` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token: (tenant, scope) =>
      new SignJWT({ tenant, scope, client_id: 'bench' })
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID })
        .setIssuer(url)
        .setAudience(AUDIENCE)
        .setSubject('bench')
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(LIFETIME)
        .sign(privateKey),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
