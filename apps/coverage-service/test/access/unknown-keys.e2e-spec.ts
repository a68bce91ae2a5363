import { startTestIssuer, until } from '@fibre/testing';
import { startForTokens, type Tokens } from './tokens.js';

let tokens: Tokens;

beforeEach(async () => void (tokens = await startForTokens()));
afterEach(() => tokens.service.close());

/** Sends tokens with unknown keys, and waits until they wait for the issuer. */
async function strangers(count: number): Promise<{ refused: Promise<number[]> }> {
  const { service, token, accepts } = tokens;
  const answers = Promise.all(Array.from({ length: count }, async (_, kid) => accepts(await token({ header: { kid: String(kid) } }))));
  const metric = new RegExp(`^limit_used\\{limit="token.*"\\} ${count}$`, 'm');
  await until('waiting tokens', async () => metric.test((await service.anonymous().get('/metrics')).text));
  return { refused: answers };
}

test('while tokens with unknown keys wait for an issuer that hangs, a token with a known key is checked at once', async () => {
  const { service, token, accepts } = tokens;
  expect(await accepts(await token())).toBe(200);
  service.issuer.hang();
  // The keys have just been requested; after a pause, they may be requested again.
  const now = performance.now.bind(performance);
  performance.now = () => now() + 10_000;
  try {
    const { refused } = await strangers(8);
    const begin = now();
    expect(await accepts(await token({ claims: { jti: 'new' } }))).toBe(200);
    expect(now() - begin).toBeLessThan(2_000);
    expect(new Set(await refused)).toEqual(new Set([401]));
    const end = now();
    expect(await accepts(await token({ header: { kid: 'another' } }))).toBe(401);
    expect(now() - end).toBeLessThan(2_000);
  } finally {
    performance.now = now;
  }
});

test('at most a thousand tokens wait for the issuer', async () => {
  const { service, token, call } = tokens;
  service.issuer.hang();
  const { refused } = await strangers(1_000);
  const { status, headers, body } = await call(`Bearer ${await token()}`);
  expect([status, body.detail]).toEqual([503, 'The limit on tokens with unknown keys is reached at the moment; nothing was done.']);
  expect(headers['retry-after']).toBeDefined();
  expect(new Set(await refused)).toEqual(new Set([503]));
});

test('a service that has never had the keys of its issuer does not blame the token, and recovers', async () => {
  const { service, token, call, accepts } = tokens;
  const valid = await token();
  await service.issuer.close();
  const { status, headers, body } = await call(`Bearer ${valid}`);
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
  const issuer = await startTestIssuer(Number(new URL(service.issuer.url).port));
  await until('the keys', async () => (await accepts(valid)) === 200);
  await issuer.close();
});
