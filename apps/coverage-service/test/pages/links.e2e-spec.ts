import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, NODES, operator } from '../access-nodes/access-nodes.js';
import { exchange } from '../requests/raw-http.js';
import { linksOf } from './pages.js';

let service: TestService | undefined;
afterEach(() => service?.close());

/** A service with two nodes, so that a page with one of them has a next page. */
async function start(environment: Record<string, string> = {}): Promise<Client> {
  service = await startTestService(coverageService, environment);
  const ano = await operator(service);
  for (let n = 0; n < 2; n++) await create(ano, { technology: 'a&b=c d/é😀' });
  return ano;
}
const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.net', 'x-forwarded-for': '192.0.2.1' };

test('links are absolute, keep every filter, and include the page size', async () => {
  const ano = await start();
  const query = { technology: 'a&b=c d/é😀', token: 'planned' };
  const first = await ano.get('/v2/cov/nodes').query({ ...query, _page_size: 1 });
  const { self, next } = linksOf(first);
  expect([self.origin, self.pathname]).toEqual([service!.url, '/v2/cov/nodes']);
  expect(Object.fromEntries(self.searchParams)).toEqual({ ...query, _page_size: '1' });
  expect(Object.fromEntries(next!.searchParams)).toEqual({ ...query, _page_size: '1', _page_cursor: expect.any(String) });

  const second = await ano.get(`${next!.pathname}${next!.search}`);
  expect(linksOf(second)).toEqual({ self: next });
  const plain = linksOf(await ano.get(NODES)).self;
  expect([plain.pathname, plain.search]).toEqual([NODES, '?_page_size=500']);
});

test('links use the Host of the request, and only a trusted proxy can override it', async () => {
  const ano = await start();
  expect(linksOf(await ano.get(NODES).set('host', 'coverage.example:8443')).self.origin).toBe('http://coverage.example:8443');
  for (const forwarded of [FORWARDED, { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a>; rel=next, <http://evil' }]) {
    expect(linksOf(await ano.get(NODES).set(forwarded)).self.origin).toBe(service!.url);
  }
});

test('links are correct if a proxy sends an absolute URL, and if a client sends no Host', async () => {
  await start();
  const authorization = `Authorization: Bearer ${await service!.issuer.token({ scope: 'coverage:read' })}`;
  const whole = await exchange(service!.url, [
    `GET http://api.example.net${NODES}?_page_size=2 HTTP/1.1`,
    'Host: api.example.net',
    authorization,
    'Connection: close',
  ]);
  expect(whole.headers['link']).toBe(`<http://api.example.net${NODES}?_page_size=2>; rel=self`);
  const old = await exchange(service!.url, [`GET ${NODES} HTTP/1.0`, authorization]);
  expect(old.headers['link']).toBe(`<http://localhost${NODES}?_page_size=500>; rel=self`);
});

test.each(['https://api.example.net', 'https://api.example.net/'])('PUBLIC_BASE_URL %s overrides everything', async (PUBLIC_BASE_URL) => {
  const ano = await start({ PUBLIC_BASE_URL, TRUST_PROXY: '1' });
  const answer = await ano
    .get(NODES)
    .query({ _page_size: 1 })
    .set({ ...FORWARDED, 'x-forwarded-host': 'other.example' });
  const { self, next } = linksOf(answer);
  expect([self.href, next!.origin]).toEqual([`https://api.example.net${NODES}?_page_size=1`, 'https://api.example.net']);
});

test.each(['1', '127.0.0.1/32', 'loopback'])('with TRUST_PROXY %s, the X-Forwarded headers are used', async (TRUST_PROXY) => {
  const ano = await start({ TRUST_PROXY });
  expect(linksOf(await ano.get(NODES).set(FORWARDED)).self.origin).toBe('https://api.example.net');
  expect(linksOf(await ano.get(NODES)).self.origin).toBe(service!.url);
});

test('with TRUST_PROXY for another network, the X-Forwarded headers are ignored', async () => {
  const ano = await start({ TRUST_PROXY: '10.0.0.0/8' });
  expect(linksOf(await ano.get(NODES).set(FORWARDED)).self.origin).toBe(service!.url);
});

test.each([
  ['1', 'evil.example, api.example.net', 'https'],
  ['1', 'api.example.net', 'HTTPS'],
  ['2', 'evil.example, api.example.net, inner.example', 'http, https, http'],
  ['loopback', 'evil.example,api.example.net', 'http,https'],
])('with TRUST_PROXY %s, only what a trusted proxy appended counts: %s, %s', async (TRUST_PROXY, host, proto) => {
  const ano = await start({ TRUST_PROXY });
  const answer = await ano.get(NODES).set({ 'x-forwarded-host': host, 'x-forwarded-proto': proto, 'x-forwarded-for': '192.0.2.1' });
  expect(answer.headers['link']).toContain(`<https://api.example.net${NODES}`);
});
