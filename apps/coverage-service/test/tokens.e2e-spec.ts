import { connect } from 'node:net';
import { startTestService, TEST_AUDIENCE, type TestService, type TokenOptions } from '@fibre/testing';
import { exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, type JWTPayload } from 'jose';
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
  ['no issuer', withClaims({ iss: undefined })],
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
  [
    'an algorithm that its key is not for',
    async () => token({ header: { alg: 'PS256' }, key: await importPKCS8(await exportPKCS8(service.issuer.privateKey), 'PS256') }),
  ],
  ['the type of an identity token', () => token({ header: { typ: 'id+jwt' } })],
  ['the type of a logout token', () => token({ header: { typ: 'logout+jwt' } })],
  ['a type that is no string', () => token({ header: { typ: ['JWT'] as unknown as string } })],
  ['an expiry long ago and another key', () => token({ key: stranger.privateKey, claims: { exp: now() - 3_600 } })],
  ['another audience and another key', () => token({ key: stranger.privateKey, claims: { aud: 'another-service' } })],
  ['a header that is null', tampered(0, () => base64url(null))],
  ['a header that is no JSON', tampered(0, () => 'bm9uc2Vuc2U')],
  ['a payload that is no object', tampered(1, () => base64url([1]))],
  ['four parts', async () => `${await token()}.AAAA`],
  ['two parts', async () => (await token()).split('.').slice(0, 2).join('.')],
  ['garbage', () => 'garbage'],
];

const refused = (detail: string, hint = 'Get a new token from the issuer.') => ({
  challenge: `Bearer realm="open-access-fibre", error="invalid_token", error_description="${detail}"`,
  body: {
    type: 'urn:open-access-fibre:problem:token-invalid',
    title: 'The access token is not valid',
    status: 401,
    detail,
    instance: NODES,
    code: 'token-invalid',
    hint,
    request_id: expect.any(String),
  },
});
const answerTo = async (authorization: string) => {
  const { headers, body } = await call(authorization);
  return { challenge: headers['www-authenticate'], body };
};

test.each(FORGERIES)('a token with %s is refused, and the answer does not say why', async (_name, make) => {
  expect(await answerTo(`Bearer ${await make()}`)).toEqual(refused('The access token is not valid.'));
});

test('a token of our issuer is told that it has expired, or that it is for somebody else', async () => {
  expect(await answerTo(`Bearer ${await token({ claims: { exp: now() - 61 } })}`)).toEqual(refused('The access token has expired.'));
  for (const aud of ['another-service', ['another-service', 'a-third'], undefined]) {
    expect(await answerTo(`Bearer ${await token({ claims: { aud } })}`)).toEqual(
      refused('The access token is meant for another service.', 'Ask the issuer for a token with the audience of this service.'),
    );
  }
});

const OTHER_HEADERS: [name: string, write: (good: string) => string][] = [
  ['another scheme', () => 'Basic YTpi'],
  ['another scheme and a good token', (good) => `Token ${good}`],
  ['a scheme that begins like ours', (good) => `BearerX ${good}`],
  ['a good token alone', (good) => good],
  ['the scheme alone', () => 'Bearer'],
  ['nothing', () => ''],
  ['something after the token', (good) => `Bearer ${good} evil`],
  ['something before the scheme', (good) => `evil Bearer ${good}`],
  ['two schemes', (good) => `Basic YTpi, Bearer ${good}`],
  ['two tokens', (good) => `Bearer ${good}, Bearer ${good}`],
  ['a comma at its end', (good) => `Bearer ${good},`],
  ['a parameter', (good) => `Bearer ${good}, realm="x"`],
  ['two spaces', (good) => `Bearer  ${good}`],
  ['a tab', (good) => `Bearer\t${good}`],
  ['a no-break space', (good) => `Bearer\u00a0${good}`],
  ['a no-break space before it', (good) => `\u00a0Bearer ${good}`],
  ['a no-break space after it', (good) => `Bearer ${good}\u00a0`],
  ['quotes', (good) => `Bearer "${good}"`],
  ['padding inside', (good) => `Bearer =${good}`],
];
const scheme = refused('The Authorization header is not Bearer, one space and one token.', 'Send one such header, and nothing else in it.');

test.each(OTHER_HEADERS)('a header with %s is refused', async (_name, write) => {
  expect(await answerTo(write(await token()))).toEqual(scheme);
});

test('a second Authorization is refused, whichever is good and whatever is remembered', async () => {
  const good = `Bearer ${await token()}`;
  expect((await call(good)).status).toBe(200);
  for (const lines of [
    [good, 'Bearer evil'],
    ['Bearer evil', good],
    [good, good],
    [good, ''],
  ]) {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const headers = lines.map((line, index) => `${index ? 'AUTHORIZATION' : 'Authorization'}: ${line}\r\n`).join('');
    socket.write(`GET ${NODES} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain(scheme.challenge);
  }
});

test('every kind of access token is taken by its typ', async () => {
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined]) {
    expect([typ, await accepts(await token({ header: { typ } }))]).toEqual([typ, 200]);
  }
});

test('the scheme is Bearer in any case', async () => {
  for (const word of ['bearer', 'BEARER', 'bEARER']) expect((await call(`${word} ${await token()}`)).status).toBe(200);
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
