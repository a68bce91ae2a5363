import { mock } from 'node:test';
import { TEST_AUDIENCE, type TestService } from '@fibre/testing';
import { nowSeconds, READ, refused, startForTokens, type Tokens } from './tokens.js';

let service: TestService;
let token: Tokens['token'];
let accepts: Tokens['accepts'];
let answerTo: Tokens['answerTo'];

beforeAll(async () => {
  ({ service, token, accepts, answerTo } = await startForTokens());
});
afterAll(() => service.close());

test('if a token from our issuer has expired or is for another service, the response says so', async () => {
  expect(await answerTo(`Bearer ${await token({ claims: { exp: nowSeconds() - 61 } })}`)).toEqual(refused('The access token has expired.'));
  for (const aud of ['another-service', ['another-service', 'a-third'], undefined]) {
    expect(await answerTo(`Bearer ${await token({ claims: { aud } })}`)).toEqual(
      refused('The access token is for another service.', "Request a token with this service's audience from the issuer."),
    );
  }
});

test('every typ that an access token may have is accepted', async () => {
  for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined]) {
    expect([typ, await accepts(await token({ header: { typ } }))]).toEqual([typ, 200]);
  }
});

test('clocks may differ by less than a minute', async () => {
  expect(await accepts(await token({ claims: { exp: nowSeconds() - 10 } }))).toBe(200);
  expect(await accepts(await token({ claims: { nbf: nowSeconds() + 10 } }))).toBe(200);
  expect(await accepts(await token({ claims: { exp: nowSeconds() - 61 } }))).toBe(401);
  expect(await accepts(await token({ claims: { nbf: nowSeconds() + 90 } }))).toBe(401);
});

test('a token that was accepted is refused once it has expired, although tokens are remembered for longer', async () => {
  const bearer = await token({ claims: { exp: nowSeconds() + 5 } });
  expect(await accepts(bearer)).toBe(200);
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 40_000 });
  try {
    expect(await accepts(bearer)).toBe(401);
  } finally {
    mock.timers.reset();
  }
});

test('tokens that are checked at the same time are not mixed up', async () => {
  const scopes = Array.from({ length: 60 }, (_, index) => (index % 3 ? READ : 'coverage:search'));
  // All of them wait until this service has the keys.
  const other = await startForTokens();
  try {
    const tokens = await Promise.all(scopes.map((scope) => other.token({ scope })));
    expect(await Promise.all(tokens.map(other.accepts))).toEqual(scopes.map((scope) => (scope === READ ? 200 : 403)));
  } finally {
    await other.service.close();
  }
});

test('our audience may be one of several', async () => {
  expect(await accepts(await token({ claims: { aud: ['another-service', TEST_AUDIENCE] } }))).toBe(200);
});

test('scopes may be text or a list, in scope or in scp', async () => {
  for (const claims of [{ scp: [READ] }, { scp: `openid ${READ}` }, { scope: ['openid', READ] }]) {
    expect([claims, await accepts(await token({ scope: '', claims }))]).toEqual([claims, 200]);
  }
  for (const claims of [{ scp: ['coverage'] }, { scp: `x${READ}` }, { scp: { 0: READ } }, { scope: `${READ}.x` }, { scope: [[READ]] }]) {
    expect([claims, await accepts(await token({ scope: '', claims }))]).toEqual([claims, 403]);
  }
});
