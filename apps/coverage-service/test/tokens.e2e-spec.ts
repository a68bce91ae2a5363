import { startTestService, TEST_AUDIENCE, type TestService, type TokenOptions } from '@fibre/testing';
import { exportSPKI, generateKeyPair, type JWTPayload } from 'jose';
import { coverageService } from '../src/coverage-service.js';
import { ALL_SCOPES, NODES, operator, problemOf, refusal } from './access-nodes.js';

const scope = 'coverage:read';
const now = (): number => Math.floor(Date.now() / 1_000);
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

let service: TestService;
let stranger: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  service = await startTestService(coverageService);
  stranger = await generateKeyPair('RS256');
});
afterAll(() => service.close());

const token = (options: TokenOptions = {}): Promise<string> => service.issuer.token({ scope, ...options });
const withClaims = (claims: JWTPayload) => (): Promise<string> => token({ claims });
const call = (authorization: string) => service.anonymous().get(NODES).set('authorization', authorization);
const accepts = async (bearer: string): Promise<number> => (await call(`Bearer ${bearer}`)).status;

/** Replaces one of the three parts of a good token. */
const tampered = (part: number, change: (text: string) => string) => async (): Promise<string> => {
  const parts = (await token()).split('.');
  parts[part] = change(parts[part]!);
  return parts.join('.');
};
const reread =
  (change: (claims: Record<string, unknown>) => unknown) =>
  (text: string): string =>
    base64url(change(JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>));
const spki = async (): Promise<Uint8Array> => new TextEncoder().encode(await exportSPKI(service.issuer.publicKey));

const FORGERIES: [name: string, make: () => Promise<string> | string][] = [
  ['algorithm none', async () => `${base64url({ alg: 'none', kid: 'test-key' })}.${(await token()).split('.')[1]}.`],
  ['algorithm none, spelled otherwise', async () => `${base64url({ alg: 'nOnE', kid: 'test-key' })}.${(await token()).split('.')[1]}.`],
  [
    'algorithm none with a signature',
    tampered(
      0,
      reread((header) => ({ ...header, alg: 'none' })),
    ),
  ],
  ['HS256 with the public key as its secret', async () => token({ header: { alg: 'HS256' }, key: await spki() })],
  ['HS512 with the public key as its secret', async () => token({ header: { alg: 'HS512' }, key: await spki() })],
  ['another issuer', withClaims({ iss: 'https://issuer.invalid' })],
  ['an issuer that begins like ours', () => token({ claims: { iss: `${service.issuer.url}.evil.invalid` } })],
  ['our issuer with a slash', () => token({ claims: { iss: `${service.issuer.url}/` } })],
  ['another audience', withClaims({ aud: 'another-service' })],
  ['no audience', withClaims({ aud: undefined })],
  ['no issuer', withClaims({ iss: undefined })],
  ['an expiry beyond the leeway', () => token({ claims: { exp: now() - 61 } })],
  ['a beginning beyond the leeway', () => token({ claims: { nbf: now() + 90 } })],
  ['no expiry', withClaims({ exp: undefined })],
  [
    'an expiry that is no number',
    () =>
      tampered(
        1,
        reread((claims) => ({ ...claims, exp: 'never' })),
      )(),
  ],
  ['an unknown key id', () => token({ header: { kid: 'unknown' } })],
  [
    'a key id that is no string',
    tampered(
      0,
      reread((header) => ({ ...header, kid: { a: 1 } })),
    ),
  ],
  [
    'a tampered payload',
    tampered(
      1,
      reread((claims) => ({ ...claims, tenant: 'ano.other' })),
    ),
  ],
  ['a tampered signature', tampered(2, (text) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`)],
  ['a signature cut short', tampered(2, (text) => text.slice(0, -8))],
  ['no signature', tampered(2, () => '')],
  ['another key with the right key id', () => token({ key: stranger.privateKey })],
  ['a key in its own header', async () => token({ key: stranger.privateKey, header: { jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } } })],
  ['a critical extension', () => token({ header: { crit: ['b64'], b64: true } })],
  [
    'another algorithm for the key',
    tampered(
      0,
      reread((header) => ({ ...header, alg: 'PS256' })),
    ),
  ],
  ['a header that is null', tampered(0, () => base64url(null))],
  ['a header that is no JSON', tampered(0, () => 'bm9uc2Vuc2U')],
  ['a payload that is no object', tampered(1, () => base64url([1]))],
  ['four parts', async () => `${await token()}.AAAA`],
  ['two parts', async () => (await token()).split('.').slice(0, 2).join('.')],
  ['garbage', () => 'garbage'],
  ['nothing at all', () => ''],
];

test.each(FORGERIES)('a token with %s is refused, and the answer does not say why', async (_name, make) => {
  const answer = await call(`Bearer ${await make()}`);
  expect(problemOf(answer)).toEqual(refusal(401, 'token-invalid'));
  expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  const { request_id: _id, ...body } = answer.body as Record<string, unknown>;
  expect(body).toEqual({
    type: 'urn:open-access-fibre:problem:token-invalid',
    title: 'The access token is not valid',
    status: 401,
    detail: 'The access token is expired, malformed, or not meant for this service.',
    instance: NODES,
    code: 'token-invalid',
    hint: 'Get a new token from the issuer.',
  });
});

test.each(['Basic YTpi', 'Bearer', 'Bearer  ', 'Token x', ''])('the authorization "%s" is refused', async (authorization) => {
  expect((await call(authorization)).status).toBe(401);
});

test('the scheme is Bearer in any case', async () => {
  expect((await call(`bearer ${await token()}`)).status).toBe(200);
});

test('a token in the query string or in the body is never taken', async () => {
  const access_token = await token({ scope: ALL_SCOPES });
  expect(problemOf(await service.anonymous().get(NODES).query({ access_token }))).toEqual(refusal(401, 'token-missing'));
  expect(problemOf(await service.anonymous().post(NODES).type('form').send({ access_token }))).toEqual(refusal(401, 'token-missing'));
  const answer = await (await operator(service)).get(NODES).query({ access_token });
  expect(problemOf(answer)).toEqual({ status: 422, code: 'invalid-request', offenders: ['access_token'] });
});

test('clocks may differ by less than a minute', async () => {
  expect(await accepts(await token({ claims: { exp: now() - 10 } }))).toBe(200);
  expect(await accepts(await token({ claims: { nbf: now() + 10 } }))).toBe(200);
  expect(await accepts(await token({ claims: { exp: now() - 61 } }))).toBe(401);
  expect(await accepts(await token({ claims: { nbf: now() + 90 } }))).toBe(401);
});

test('our audience may be one of several', async () => {
  expect(await accepts(await token({ claims: { aud: ['another-service', TEST_AUDIENCE] } }))).toBe(200);
});

test('scopes come as text or as a list, in scope or in scp', async () => {
  for (const claims of [{ scp: [scope] }, { scp: `openid ${scope}` }, { scope: ['openid', scope] }]) {
    expect([claims, await accepts(await token({ scope: '', claims }))]).toEqual([claims, 200]);
  }
  for (const claims of [
    { scp: ['coverage'] },
    { scp: `x${scope}` },
    { scp: { 0: scope } },
    { scope: `${scope}.x` },
    { scope: [[scope]] },
  ]) {
    expect([claims, await accepts(await token({ scope: '', claims }))]).toEqual([claims, 403]);
  }
});

test('a flood of unknown key ids neither floods the issuer nor shuts out good tokens', async () => {
  const good = await token();
  expect(await accepts(good)).toBe(200);
  const before = service.issuer.keySetRequests();
  const flood = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => accepts(await token({ header: { kid: `flood-${index}` } }))),
  );
  expect(new Set(flood)).toEqual(new Set([401]));
  expect(service.issuer.keySetRequests() - before).toBeLessThanOrEqual(2);
  expect(await accepts(good)).toBe(200);
});
