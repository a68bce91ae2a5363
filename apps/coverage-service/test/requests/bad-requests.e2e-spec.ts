import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import {
  type Client,
  create,
  invalid,
  newNode,
  type Node,
  NODES,
  operator,
  problemOf,
  refusal,
  SEARCH,
} from '../access-nodes/access-nodes.js';
import { exchange } from './raw-http.js';

let service: TestService;
let ano: Client;
let node: Node;
let authorization: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
  node = await create(ano);
  authorization = `Authorization: Bearer ${await service.issuer.token({ scope: 'coverage:read coverage:write coverage:search' })}`;
});
afterAll(() => service.close());

/** Sends this exact request line, by default with a token. */
const raw = (line: string, headers: string[] = [authorization]) =>
  exchange(service.url, [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers]);

test.each([
  '/',
  '/v2',
  '/v2/cov',
  '/v2/cov/',
  '/v2/cov/node',
  '/v2/cov/nodes/a/b',
  '/V2/cov/nodes',
  '/v2/cov/Nodes',
  '/v1/cov/nodes',
  '//v2/cov/nodes',
  '/v2//cov/nodes',
  '/health',
  '/.env',
  '/v2/cov/nodes/../../../etc/passwd',
  '/v2/cov/search/x',
  '/favicon.ico',
])('there is no route %s, with or without a token', async (path) => {
  for (const headers of [[], [authorization]]) {
    const answer = await raw(`GET ${path}`, headers);
    expect([answer.status, (JSON.parse(answer.body) as { code: string }).code]).toEqual([404, 'route-not-found']);
    expect(answer.headers['content-type']).toBe('application/problem+json');
  }
});

test.each([
  ['/v2/cov/nodes', ['OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'QUERY'], 'DELETE, GET, HEAD, PATCH, POST, PUT'],
  ['/v2/cov/nodes/00000000-0000-7000-8000-000000000000/', ['OPTIONS', 'TRACE', 'POST', 'PUT'], 'DELETE, GET, HEAD, PATCH'],
  ['/v2/cov/search/', ['OPTIONS', 'PUT', 'PATCH', 'DELETE'], 'GET, HEAD, POST'],
  ['/v2/cov/nodes/import', ['GET', 'HEAD', 'DELETE', 'PATCH', 'PUT'], 'POST'],
  ['/v2/cov/nodes/export/', ['POST', 'DELETE', 'PATCH'], 'GET, HEAD'],
  ['/health/live', ['OPTIONS', 'POST', 'DELETE'], 'GET, HEAD'],
])('%s returns 405 for other methods, with or without a token', async (path, methods, allow) => {
  for (const method of methods) {
    for (const headers of [[], [authorization]]) {
      const answer = await raw(`${method} ${path}`, headers);
      expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, allow]);
      if (method !== 'HEAD')
        expect(JSON.parse(answer.body)).toMatchObject({ code: 'method-not-allowed', request_id: answer.headers['x-request-id'] });
    }
  }
});

test('HEAD returns the headers of GET', async () => {
  for (const path of [`${NODES}${node.node_id}`, NODES, `${SEARCH}?center=0,0`, '/health/live']) {
    const [head, get] = [await ano.head(path), await ano.get(path)];
    expect([head.status, head.text]).toEqual([200, undefined]);
    for (const name of ['content-type', 'etag', 'link', 'x-page-count'])
      expect([path, name, head.headers[name]]).toEqual([path, name, get.headers[name]]);
  }
  expect((await ano.head(`${NODES}x`)).status).toBe(422);
});

test.each([
  'text/html',
  'application/xml',
  'application/problem+json',
  'application/json;q=0',
  'image/*',
  'text/html, application/json;q=0',
])('Accept: %s gets 406', async (accept) => {
  const requests = [ano.get(NODES), ano.get(`${NODES}${node.node_id}`), ano.post(NODES).send({}), ano.get(SEARCH)];
  for (const request of requests) expect(problemOf(await request.set('accept', accept))).toEqual(refusal(406, 'not-acceptable'));
  expect(problemOf(await service.anonymous().get(NODES).set('accept', accept))).toEqual(refusal(401, 'token-missing'));
});

test.each(['application/json', 'application/*', '*/*', 'text/html, */*;q=0.1', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
  'Accept: %s is accepted',
  async (accept) => {
    expect((await ano.get(NODES).set('accept', accept)).status).toBe(200);
  },
);

test.each(['%', '%zz', '%e0%a4%a', '%ff', '%c0%af', '%ed%a0%80'])('bad percent-encoding gets 400 with a valid token: %s', async (bad) => {
  for (const path of [
    `${NODES}${bad}`,
    `${NODES}?token=${bad}`,
    `${NODES}?${bad}=1`,
    `${SEARCH}?center=${bad}`,
    `${NODES}${node.node_id}?${bad}`,
  ]) {
    const answers = [await raw(`GET ${path}`, []), await raw(`GET ${path}`)];
    expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 401, 400]);
    expect(JSON.parse(answers[1]!.body)).toMatchObject({ code: 'malformed-request', request_id: answers[1]!.headers['x-request-id'] });
  }
  expect((await raw(`DELETE ${NODES}?relation_id=${node.relation_id}&target=${bad}`)).status).toBe(400);
  expect((await raw(`GET ${NODES}${node.node_id}`)).status).toBe(200);
});

test('NUL in a query gets a 422 that names the parameter', async () => {
  for (const name of [
    'relation_id',
    'token',
    'technology',
    'status',
    'customer_reference',
    'target',
    'modified_since',
    'created_by',
    'modified_by',
    '_page_cursor',
    '_page_size',
  ]) {
    expect(problemOf(await ano.get(NODES).query({ [name]: 'a\0' }))).toEqual(invalid(name));
  }
  expect(problemOf(await ano.get(SEARCH).query({ center: '0, 0\0', technology: '\0' }))).toEqual(invalid('center', 'technology'));
});

test('a long query is handled, and one above the header limit gets 431', async () => {
  expect(problemOf(await ano.get(NODES).query({ technology: 'x'.repeat(10_000) }))).toEqual(invalid('technology'));
  const many = await ano.get(`${NODES}?${'a=1&'.repeat(3_000)}`);
  expect(problemOf(many)).toEqual(invalid('a'));
  const different = await ano.get(`${NODES}?${Array.from({ length: 2_000 }, (_, index) => `a${index}`).join('&')}`);
  expect([different.status, different.body.errors.length <= 101]).toEqual([422, true]);
  expect((await raw(`GET ${NODES}?technology=${'x'.repeat(100_000)}`)).status).toBe(431);
});

test('errors are checked in the order route, method, token, scope, body, parts, record', async () => {
  const id = '00000000-0000-7000-8000-000000000000';
  const reader = await service.as({ scope: 'coverage:read' });
  const nonsense = (request: ReturnType<Client['post']>) => request.query({ x: 1 }).type('text/plain').send('{');
  expect(problemOf(await nonsense(service.anonymous().post('/v2/cov/x')))).toEqual(refusal(404, 'route-not-found'));
  expect(problemOf(await nonsense(service.anonymous().put(SEARCH)))).toEqual(refusal(405, 'method-not-allowed'));
  expect(problemOf(await nonsense(service.anonymous().post(NODES)))).toEqual(refusal(401, 'token-missing'));
  expect(problemOf(await nonsense(reader.post(NODES)))).toEqual(refusal(403, 'scope-missing'));
  expect(problemOf(await nonsense(ano.post(NODES)))).toEqual(refusal(415, 'unsupported-media-type'));
  expect(problemOf(await nonsense(ano.post(NODES)).type('application/json'))).toEqual(refusal(400, 'malformed-request'));
  expect(problemOf(await ano.patch(`${NODES}${id}`).query({ x: 1 }).send({ token: 'x' }))).toEqual(invalid('x', '#/token'));
  expect(problemOf(await ano.patch(`${NODES}${id}`).set('if-match', '"9"').send({ token: 'planned' }))).toEqual(refusal(404, 'not-found'));
  expect(
    problemOf(
      await ano
        .post(NODES)
        .query({ target: 'x' })
        .send(newNode({ token: 1 })),
    ),
  ).toEqual(invalid('target', '#/token'));
});

test('a time whose + became a space in the URL gets an error that says how to write it', async () => {
  const answer = await ano.get(`${NODES}?modified_since=2026-02-01T00:00:00+01:00`);
  expect(problemOf(answer)).toEqual(invalid('modified_since'));
  expect(answer.body.detail).toContain('write + as %2B in a URL');
  expect((await ano.get(`${NODES}?modified_since=2026-02-01T00:00:00%2B01:00`)).status).toBe(200);
});
