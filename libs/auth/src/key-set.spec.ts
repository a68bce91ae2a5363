import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { Logger } from '@nestjs/common';
import { errors, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters } from 'jose';
import { KeySet, KeySetUnavailable } from './key-set.js';

const PAUSE_MS = 10_000;
const header: JWTHeaderParameters = { alg: 'RS256', kid: 'good' };

let jwk: JWK;
let privateJwk: JWK;
let server: Server;
let url: string;
let answer: RequestListener;
let asked: string[];
let skippedMs = 0;

const now = performance.now.bind(performance);
const dateNow = Date.now.bind(Date);
const json =
  (document: unknown, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
const keys = (...documents: unknown[]): RequestListener => json({ keys: documents });
const sets: KeySet[] = [];
const keySet = (jwksUri: string | undefined = `${url}/jwks`): KeySet => {
  const set = new KeySet({ OAUTH_ISSUER: url, ...(jwksUri && { OAUTH_JWKS_URI: jwksUri }) });
  sets.push(set);
  return set;
};
/** The key for a token, after one attempt to get it from the issuer. */
const keyFor = (set: KeySet, { alg, kid }: JWTHeaderParameters): Promise<KeyObject> =>
  set.find({ alg, kid }).catch(() => set.renew().then(() => set.find({ alg, kid })));
const known = async (): Promise<KeySet> => {
  answer = keys(jwk);
  const set = keySet();
  await keyFor(set, header);
  asked = [];
  return set;
};
/** Lets time pass and looks up a made-up key id, so that the key set is requested again. */
const askAgain = async (set: KeySet): Promise<void> => {
  skippedMs += PAUSE_MS;
  await expect(keyFor(set, { alg: 'RS256', kid: 'made-up' })).rejects.toThrow();
};

beforeAll(async () => {
  Logger.overrideLogger(false);
  performance.now = () => now() + skippedMs;
  Date.now = () => dateNow() + skippedMs;
  const pair = await generateKeyPair('RS256', { extractable: true });
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'good' };
  privateJwk = { ...(await exportJWK(pair.privateKey)), kid: 'good' };
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterEach(() => {
  for (const set of sets.splice(0)) set.onApplicationShutdown();
  mock.timers.reset();
});
afterAll(() => {
  performance.now = now;
  Date.now = dateNow;
  server.closeAllConnections();
  server.close();
});

test('the key of a token is found by its id', async () => {
  answer = keys({ ...jwk, kid: 'other' }, jwk);
  expect((await keyFor(keySet(), header)).asymmetricKeyType).toBe('rsa');
});

test.each([
  ['another alg', { alg: 'RS512' }],
  ['use for encryption', { use: 'enc' }],
  ['key operations without verify', { key_ops: ['encrypt'] }],
  ['another key type', { kty: 'EC' }],
  ['missing key material', { n: undefined }],
])('a key with %s verifies nothing', async (_name, members) => {
  const set = await known();
  answer = keys({ ...jwk, kid: 'odd', ...members }, jwk);
  await askAgain(set);
  await expect(keyFor(set, { ...header, kid: 'odd' })).rejects.toThrow();
  await expect(keyFor(set, header)).resolves.toBeDefined();
});

test.each<[string, () => RequestListener]>([
  ['no keys', () => keys()],
  ['no usable key', () => keys({ ...jwk, use: 'enc' }, { kty: 'oct', k: 'AAAA', kid: 'good' }, 'text')],
  ['private keys', () => keys(privateJwk)],
  ['more than 100 keys', () => keys(...Array.from({ length: 101 }, (_, index) => ({ ...jwk, kid: `${index}` })))],
  ['an empty object', () => json({})],
  ['null', () => json(null)],
  ['an error', () => json({ keys: [jwk] }, 500)],
  ['HTML', () => (_request, response) => response.end('<html>')],
])('%s instead of keys: the known keys stay in use', async (_name, listener) => {
  const set = await known();
  answer = listener();
  await askAgain(set);
  expect(asked).toEqual(['/jwks']);
  await expect(keyFor(set, header)).resolves.toBeDefined();
});

test('an endless response is cut off', async () => {
  let sent = 0;
  let cut: Promise<unknown> | undefined;
  const set = await known();
  answer = (_request, response) => {
    cut = once(response, 'close');
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  };
  await askAgain(set);
  await cut;
  expect(sent).toBeLessThan(64 * 1_024 * 1_024);
  await expect(keyFor(set, header)).resolves.toBeDefined();
});

test('a response that trickles in is abandoned', async () => {
  let drops: NodeJS.Timeout | undefined;
  const set = await known();
  answer = (_request, response) => {
    drops = setInterval(() => response.write(' '), 100);
  };
  await askAgain(set);
  clearInterval(drops);
  await expect(keyFor(set, header)).resolves.toBeDefined();
});

test('a redirect is not followed', async () => {
  const set = await known();
  answer = (request, response) => {
    if (request.url === '/elsewhere') keys({ ...jwk, kid: 'made-up' })(request, response);
    else response.writeHead(302, { location: `${url}/elsewhere` }).end();
  };
  await askAgain(set);
  expect(asked).toEqual(['/jwks']);
});

test('discovery only accepts valid metadata of its own issuer', async () => {
  answer = (request, response) => (request.url === '/jwks' ? keys(jwk) : json({ issuer: url, jwks_uri: `${url}/jwks` }))(request, response);
  await expect(keyFor(keySet(''), header)).resolves.toBeDefined();
  expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  for (const metadata of [
    { issuer: 'https://other.example', jwks_uri: `${url}/jwks` },
    { issuer: url },
    { issuer: url, jwks_uri: 'keys' },
  ]) {
    asked = [];
    answer = json(metadata);
    await expect(keyFor(keySet(''), header)).rejects.toThrow(KeySetUnavailable);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  }
});

test('until the first key set arrives, requests to the issuer become less frequent, and one successful response is enough', async () => {
  answer = json({}, 503);
  const set = keySet();
  for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    asked = [];
    const flood = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) => keyFor(set, { alg: 'RS256', kid: `forged-${index}` })),
    );
    expect(flood.filter(({ status }) => status === 'rejected')).toHaveLength(300);
    await expect(keyFor(set, header)).rejects.toThrow(KeySetUnavailable);
    expect(asked).toEqual(['/jwks']);
    skippedMs += pauseMs;
  }
  answer = keys(jwk);
  await expect(keyFor(set, header)).resolves.toBeDefined();
});

test('once keys are known, made-up key ids trigger at most one request every ten seconds', async () => {
  const set = await known();
  for (let round = 0; round < 3; round++) {
    asked = [];
    await askAgain(set);
    await Promise.allSettled(Array.from({ length: 300 }, (_, index) => keyFor(set, { alg: 'RS256', kid: `forged-${index}` })));
    expect(asked).toEqual(['/jwks']);
  }
});

test('keys are fetched again every ten minutes, and trusted for a day while the issuer is down', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const set = await known();
  const pass = async (ms: number): Promise<void> => {
    asked = [];
    for (let passed = 0; passed < ms; passed += PAUSE_MS) {
      skippedMs += PAUSE_MS;
      mock.timers.tick(PAUSE_MS);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await pass(9 * 60_000);
  expect(asked).toEqual([]);
  await pass(60_000);
  expect(asked).toEqual(['/jwks']);
  answer = json({}, 503);
  await pass(9 * 60_000);
  expect(asked).toEqual([]);
  await pass(60_000);
  expect(asked).toEqual(['/jwks']);
  await pass(PAUSE_MS);
  expect(asked).toEqual(['/jwks']);
  await expect(set.find(header)).resolves.toBeDefined();
  skippedMs += 24 * 60 * 60_000;
  await expect(set.find(header)).rejects.toThrow(KeySetUnavailable);
});

test('a closed set is not refreshed any more', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const set = await known();
  set.onApplicationShutdown();
  skippedMs += 11 * 60_000;
  mock.timers.tick(11 * 60_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toEqual([]);
});

test('an issuer that hangs does not delay tokens whose key is known, and after that unknown keys are refused at once', async () => {
  const set = await known();
  skippedMs += 11 * 60_000;
  answer = () => undefined;
  const unknown = { alg: 'RS256', kid: 'unknown' };
  const waiting = keyFor(set, unknown).catch(() => undefined);
  const begin = now();
  await set.find(header);
  expect(now() - begin).toBeLessThan(1_000);
  await waiting;
  const refused = now();
  await expect(keyFor(set, unknown)).rejects.toThrow(errors.JWKSNoMatchingKey);
  expect(now() - refused).toBeLessThan(1_000);
});
