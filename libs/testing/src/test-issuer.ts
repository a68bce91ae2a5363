import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type CryptoKey, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

export const TEST_AUDIENCE = 'open-access-fibre';
const KEY_ID = 'test-key';
const LIFETIME_SECONDS = 86_400;

/** Claims of a token; tests of rejections can replace any of them. */
export interface TokenOptions {
  readonly tenant?: string | null;
  readonly scope?: string;
  readonly claims?: JWTPayload;
  readonly header?: Partial<JWTHeaderParameters>;
  /** Signs with this key instead of the issuer's. */
  readonly key?: CryptoKey | Uint8Array;
}

/** An issuer with a real key, a discovery document and a key set, on its own port. */
export interface TestIssuer {
  readonly url: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
  /** A signed access token, valid for a day unless `claims` say otherwise. */
  token(options?: TokenOptions): Promise<string>;
  /** Number of requests for the key set. */
  keySetRequests(): number;
  /** From now on, the issuer accepts requests but never responds. */
  hang(): void;
  close(): Promise<void>;
}

/** Shared by the issuers of a thread, because a new pair takes a quarter of a second. */
const keyPair = generateKeyPair('RS256', { extractable: true });

/** @param port by default any; an issuer that is started again on the same port has the same key */
export async function startTestIssuer(port = 0): Promise<TestIssuer> {
  const { publicKey, privateKey } = await keyPair;
  const keys = [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }];
  let keySetRequests = 0;
  let hangs = false;

  const server = createServer((request, response) => {
    if (request.url === '/jwks') keySetRequests++;
    if (hangs) return;
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/jwks` },
      '/jwks': { keys },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    publicKey,
    privateKey,
    token: ({ tenant = 'ano.test', scope = '', claims, header, key = privateKey } = {}) =>
      new SignJWT({
        iss: url,
        aud: TEST_AUDIENCE,
        sub: 'client',
        client_id: 'client',
        exp: Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS,
        scope,
        ...(tenant !== null && { tenant }),
        ...claims,
      })
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, ...header })
        .sign(key),
    keySetRequests: () => keySetRequests,
    hang: () => void (hangs = true),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
