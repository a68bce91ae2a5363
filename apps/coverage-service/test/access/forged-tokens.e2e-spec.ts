import type { TestService } from '@fibre/testing';
import { exportPKCS8, exportSPKI, generateKeyPair, importPKCS8, type JWTPayload } from 'jose';
import { nowSeconds, refused, startForTokens, type Tokens } from './tokens.js';

let service: TestService;
let token: Tokens['token'];
let accepts: Tokens['accepts'];
let answerTo: Tokens['answerTo'];
let stranger: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  ({ service, token, accepts, answerTo } = await startForTokens());
  stranger = await generateKeyPair('RS256');
});
afterAll(() => service.close());

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const withClaims = (claims: JWTPayload) => (): Promise<string> => token({ claims });

/** Replaces one of the three parts of a valid token. */
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
  ['algorithm none, spelled differently', async () => `${base64url({ alg: 'nOnE', kid: 'test-key' })}.${(await token()).split('.')[1]}.`],
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
  ['a not-before time beyond the leeway', () => token({ claims: { nbf: nowSeconds() + 90 } })],
  ['no expiry', withClaims({ exp: undefined })],
  [
    'an expiry that is not a number',
    () =>
      tampered(
        1,
        reread((claims) => ({ ...claims, exp: 'never' })),
      )(),
  ],
  ['an unknown key id', () => token({ header: { kid: 'unknown' } })],
  [
    'a key id that is not a string',
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
    'another algorithm in its header',
    tampered(
      0,
      reread((header) => ({ ...header, alg: 'PS256' })),
    ),
  ],
  [
    'an algorithm that does not match its key',
    async () => token({ header: { alg: 'PS256' }, key: await importPKCS8(await exportPKCS8(service.issuer.privateKey), 'PS256') }),
  ],
  ['the type of an identity token', () => token({ header: { typ: 'id+jwt' } })],
  ['the type of a logout token', () => token({ header: { typ: 'logout+jwt' } })],
  ['a type that is not a string', () => token({ header: { typ: ['JWT'] as unknown as string } })],
  ['a long-past expiry and another key', () => token({ key: stranger.privateKey, claims: { exp: nowSeconds() - 3_600 } })],
  ['another audience and another key', () => token({ key: stranger.privateKey, claims: { aud: 'another-service' } })],
  ['a header that is null', tampered(0, () => base64url(null))],
  ['a header that is not JSON', tampered(0, () => 'bm9uc2Vuc2U')],
  ['a payload that is not an object', tampered(1, () => base64url([1]))],
  ['four parts', async () => `${await token()}.AAAA`],
  ['two parts', async () => (await token()).split('.').slice(0, 2).join('.')],
  ['garbage', () => 'garbage'],
];

test.each(FORGERIES)('a token with %s is rejected, and the response does not say why', async (_name, make) => {
  expect(await answerTo(`Bearer ${await make()}`)).toEqual(refused('The access token is not valid.'));
});

test('many unknown key ids neither flood the issuer nor block valid tokens', async () => {
  const good = await token();
  expect(await accepts(good)).toBe(200);
  const before = service.issuer.keySetRequests();
  const began = performance.now();
  const flood = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => accepts(await token({ header: { kid: `flood-${index}` } }))),
  );
  expect(new Set(flood)).toEqual(new Set([401]));
  // The key set is requested at most once every 10 s; on a busy machine, the flood takes longer than that.
  expect(service.issuer.keySetRequests() - before).toBeLessThanOrEqual(2 + (performance.now() - began) / 10_000);
  expect(await accepts(good)).toBe(200);
});
