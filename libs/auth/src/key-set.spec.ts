import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { Logger } from '@nestjs/common';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { KeySet, KeySetUnavailable } from './key-set.js';

const COOL_DOWN_MS = 10_000;
const header = { alg: 'RS256', kid: 'good' };

let jwk: JWK;
let privateJwk: JWK;
let server: Server;
let url: string;
let answer: RequestListener;
let asked: string[];
let skippedMs = 0;

const now = performance.now.bind(performance);
const json =
  (document: unknown, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
const keys = (...documents: unknown[]): RequestListener => json({ keys: documents });
const keySet = (): KeySet => new KeySet(url, `${url}/jwks`);
const known = async (): Promise<KeySet> => {
  answer = keys(jwk);
  const set = keySet();
  await set.keyFor(header);
  asked = [];
  return set;
};
/** Lets time pass and looks up a made-up key id, so that the key set is requested again. */
const askAgain = async (set: KeySet): Promise<void> => {
  skippedMs += COOL_DOWN_MS;
  await expect(set.keyFor({ alg: 'RS256', kid: 'made-up' })).rejects.toThrow();
};

beforeAll(async () => {
  Logger.overrideLogger(false);
  performance.now = () => now() + skippedMs;
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
afterEach(() => mock.timers.reset());
afterAll(() => {
  performance.now = now;
  server.closeAllConnections();
  server.close();
});

test('the key of a token is found by its id', async () => {
  answer = keys({ ...jwk, kid: 'other' }, jwk);
  expect((await keySet().keyFor(header)).asymmetricKeyType).toBe('rsa');
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
  await expect(set.keyFor({ ...header, kid: 'odd' })).rejects.toThrow();
  await expect(set.keyFor(header)).resolves.toBeDefined();
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
  await expect(set.keyFor(header)).resolves.toBeDefined();
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
  await expect(set.keyFor(header)).resolves.toBeDefined();
});

test('a response that trickles in is abandoned', async () => {
  let drops: NodeJS.Timeout | undefined;
  const set = await known();
  answer = (_request, response) => {
    drops = setInterval(() => response.write(' '), 100);
  };
  await askAgain(set);
  clearInterval(drops);
  await expect(set.keyFor(header)).resolves.toBeDefined();
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
  await expect(new KeySet(url).keyFor(header)).resolves.toBeDefined();
  expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
  for (const metadata of [
    { issuer: 'https://other.example', jwks_uri: `${url}/jwks` },
    { issuer: url },
    { issuer: url, jwks_uri: 'keys' },
  ]) {
    asked = [];
    answer = json(metadata);
    await expect(new KeySet(url).keyFor(header)).rejects.toThrow(KeySetUnavailable);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  }
});

test('until the first key set arrives, requests to the issuer become less frequent, and one successful response is enough', async () => {
  answer = json({}, 503);
  const set = keySet();
  for (const coolDownMs of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    asked = [];
    const flood = await Promise.allSettled(Array.from({ length: 300 }, (_, index) => set.keyFor({ alg: 'RS256', kid: `forged-${index}` })));
    expect(flood.filter(({ status }) => status === 'rejected')).toHaveLength(300);
    await expect(set.keyFor(header)).rejects.toThrow(KeySetUnavailable);
    expect(asked).toEqual(['/jwks']);
    skippedMs += coolDownMs;
  }
  answer = keys(jwk);
  await expect(set.keyFor(header)).resolves.toBeDefined();
});

test('once keys are known, made-up key ids trigger at most one request every ten seconds', async () => {
  const set = await known();
  for (let round = 0; round < 3; round++) {
    asked = [];
    await askAgain(set);
    await Promise.allSettled(Array.from({ length: 300 }, (_, index) => set.keyFor({ alg: 'RS256', kid: `forged-${index}` })));
    expect(asked).toEqual(['/jwks']);
  }
});

test('keys are fetched again every ten minutes, and trusted for a day while the issuer is down', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const set = await known();
  mock.timers.tick(10 * 60_000 - 1_000);
  expect(asked).toEqual([]);
  skippedMs += 10 * 60_000;
  answer = json({}, 503);
  mock.timers.tick(1_000);
  while (asked.length === 0) await new Promise(setImmediate);
  expect(asked).toEqual(['/jwks']);
  await expect(set.keyFor(header)).resolves.toBeDefined();
  skippedMs += 24 * 60 * 60_000;
  await expect(set.keyFor(header)).rejects.toThrow(KeySetUnavailable);
});

test('an issuer that hangs does not delay tokens whose key is known', async () => {
  const set = await known();
  skippedMs += 11 * 60_000;
  answer = () => undefined;
  const begin = now();
  for (let round = 0; round < 3; round++) {
    await set.keyFor(header);
    skippedMs += COOL_DOWN_MS;
  }
  expect(now() - begin).toBeLessThan(4_000);
});
