import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { create, type Node, NODES, operator } from '../access-nodes/access-nodes.js';
import { exchange, type RawAnswer } from './raw-http.js';

let service: TestService;
let node: Node;
let authorization: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { TRUST_PROXY: 'loopback' });
  node = await create(await operator(service));
  authorization = `Authorization: Bearer ${await service.issuer.token({ scope: 'coverage:read' })}`;
});
afterAll(() => service.close());

/** Sends this exact head and asks the server to close the connection. */
const send = (...head: string[]) => exchange(service.url, [...head, 'Connection: close']);
const list = (...headers: string[]) => send(`GET ${NODES}?_page_size=1 HTTP/1.1`, authorization, ...headers);

/** Every error has this form: a problem that must not be cached, with a request id. */
function expectProblem(answer: RawAnswer, status: number, code: string): void {
  const { headers } = answer;
  expect([answer.status, headers['content-type'], headers['cache-control'], headers['content-length']]).toEqual([
    status,
    'application/problem+json',
    'no-store',
    String(Buffer.byteLength(answer.body)),
  ]);
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.parse(answer.body)).toMatchObject({ status, code, request_id: headers['x-request-id'] });
}

const NO_HOSTS = [
  'a>; rel=next, <http://evil',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  'user@a',
  'a,b',
  'http://a',
  'a:b',
  'a:123456',
  'example.com:99999',
  '256.1.1.1',
  '1.2.3.4.5',
  'xn--a',
  '[::1',
  '::1',
  '"a"',
  '',
  'ä',
  'a'.repeat(254),
];
test.each(NO_HOSTS)('the Host %s is invalid', async (host) => {
  expectProblem(await list(`Host: ${host}`), 400, 'malformed-request');
});

test.each([
  'a',
  'coverage.example',
  'my_service.ns.svc:8080',
  '10.1.2.3',
  '10.1.2.3:80',
  '[::1]:3001',
  '[2001:db8::1]',
  'xn--bcher-kva.example.',
])('the Host %s is valid', async (host) => {
  const answer = await list(`Host: ${host}`);
  expect([answer.status, answer.headers['link']]).toEqual([200, `<http://${host}${NODES}?_page_size=1>; rel=self`]);
  expect((await send('GET /health/ready HTTP/1.1', `Host: ${host}`)).status).toBe(200);
});

test('a missing or second Host is invalid, except that HTTP 1.0 does not need one', async () => {
  expectProblem(await list(), 400, 'malformed-request');
  expectProblem(await list('Host: a', 'HOST: b'), 400, 'malformed-request');
  expect((await send(`GET ${NODES} HTTP/1.0`, authorization)).status).toBe(200);
});

test.each([
  ['X-Forwarded-Proto', 'javascript'],
  ['X-Forwarded-Proto', 'https:'],
  ['X-Forwarded-Proto', 'http>; rel=next, <https'],
  ['X-Forwarded-Host', 'a>; rel=next, <http://evil'],
  ['X-Forwarded-Host', 'user@a'],
])('%s: %s from a trusted proxy is rejected', async (name, value) => {
  expectProblem(await list('Host: a', `${name}: ${value}`), 400, 'malformed-request');
});

test('an invalid host as long as the header limit allows is rejected quickly', async () => {
  const start = process.cpuUsage();
  expect((await list(`Host: ${'a.'.repeat(7_000)}!`)).status).toBe(400);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(1_000);
});

test('an unknown expectation gets 417, and 100-continue works', async () => {
  expect((await list('Host: a', 'Expect: 200-ok')).status).toBe(417);
  expect((await list('Host: a', 'Expect: 100-Continue')).status).toBe(100);
});

test.each([
  ['bytes that are not HTTP', ['NONSENSE'], 400],
  ['a request line with too many parts', ['GET / x HTTP/1.1', 'Host: a'], 400],
  ['a method in small letters', [`get ${NODES} HTTP/1.1`, 'Host: a'], 400],
  ['a header without a name', ['GET / HTTP/1.1', 'Host: a', ': x'], 400],
  ['an unsupported version', ['GET / HTTP/3.7', 'Host: a'], 400],
  ['two lengths', [`POST ${NODES} HTTP/1.1`, 'Host: a', 'Content-Length: 1', 'Content-Length: 2'], 400],
  ['a length and chunks', [`POST ${NODES} HTTP/1.1`, 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked'], 400],
  ['endless headers', ['GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(100_000)}`], 431],
])('%s: Node responds without a body', async (_what, head, status) => {
  const answer = await send(...head);
  expect([answer.status, answer.body]).toEqual([status, '']);
  expect((await list('Host: a')).status).toBe(200);
});

test('endless chunk extensions are rejected, and a proxy request gets no response', async () => {
  const head = [`POST ${NODES} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked', 'Content-Type: application/json'];
  expect((await exchange(service.url, [...head, authorization], `1;${'x'.repeat(20_000)}\r\n`)).status).toBe(413);
  expect((await send('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')).status).toBeNaN();
});

test("a tenant's records are not cached, and conditional requests still work", async () => {
  const client = await operator(service);
  const first = await client.get(`${NODES}${node.node_id}`);
  const known = await client.get(`${NODES}${node.node_id}`).set('if-none-match', first.headers['etag']!);
  const others = [await client.get(NODES), await client.get('/v2/cov/search?center=0,0')];
  expect(known.status).toBe(304);
  for (const { headers } of [first, known, ...others]) expect(headers['cache-control']).toBe('private, no-store');
  for (const path of ['/v2/cov/openapi.json', '/v2/cov/docs', '/v2/cov/docs/swagger-ui.css']) {
    const { status, headers } = await service.anonymous().get(path);
    expect([path, status, headers['cache-control']]).toEqual([path, 200, 'public, max-age=300']);
  }
});
