import { blockedStatements, startTcpRelay, startTestService, type TcpRelay, type TestService, until } from '@fibre/testing';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, newNode, type Node, NODES, operator, problemOf, refusal, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';

/** A relay between the service and the database that can be cut like a network connection. */
let relay: TcpRelay;
let service: TestService;
let ano: Client;
let node: Node;

beforeAll(async () => {
  let database = '';
  relay = await startTcpRelay(() => Number(new URL(database).port || 5432));
  const throughRelay = (databaseUrl: string): string => {
    database = databaseUrl;
    return Object.assign(new URL(databaseUrl), { port: String(relay.port) }).href;
  };
  service = await startTestService({
    ...coverageService,
    module: (env, databaseUrl) => coverageService.module(env, throughRelay(databaseUrl)),
  });
  ano = await operator(service);
  node = await create(ano);
});
afterEach(() => relay.mend());
afterAll(async () => {
  await service.close();
  relay.cut();
});

const ready = () => service.anonymous().get('/health/ready');
const live = () => service.anonymous().get('/health/live/');

test('a healthy service is alive and ready', async () => {
  expect((await live()).body).toEqual({ status: 'ok' });
  expect((await ready()).body).toMatchObject({ status: 'ok', details: { database: { status: 'up' }, lifecycle: { status: 'up' } } });
});

test('without its database the service is alive, not ready, returns 503, and recovers', async () => {
  relay.cut();
  const url = `${NODES}${node.node_id}`;
  const requests = [ready(), ano.get(NODES), ano.get(url), ano.post(NODES).send(newNode()), ano.patch(url).send({ token: 'operation' })];
  requests.push(
    ano.delete(url),
    ano.put(NODES).query({ relation_id: node.relation_id }),
    ano.delete(NODES).query({ relation_id: node.relation_id }),
  );
  requests.push(ano.get(SEARCH).query({ center: '0, 0' }));
  for (const answer of await Promise.all(requests)) {
    expect([answer.request.method, answer.request.url, problemOf(answer)]).toEqual([
      answer.request.method,
      answer.request.url,
      refusal(503, 'unavailable'),
    ]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.text).not.toMatch(/ECONN|postgres|select|127\.0\.0\.1/i);
  }
  expect((await live()).status).toBe(200);
  expect((await ano.post(NODES).send({})).status).toBe(422);

  await relay.mend();
  expect((await ready()).status).toBe(200);
  expect((await ano.get(url)).body).toEqual(node);
});

test('while its database does not respond, the service is not ready within five seconds, and afterwards is ready again', async () => {
  relay.fallSilent();
  const began = performance.now();
  expect(problemOf(await ready())).toEqual(refusal(503, 'unavailable'));
  expect(performance.now() - began).toBeLessThan(5_000);
  expect((await live()).status).toBe(200);
  // Otherwise the next tests would wait on the silent connections: the time limits of statements are long in tests.
  relay.cut();
  await relay.mend();
  expect((await ready()).status).toBe(200);
});

test('a write whose response is lost has an unknown outcome; a read can be retried', async () => {
  const url = `${NODES}${node.node_id}`;
  const blocker = new pg.Client(service.databaseUrl);
  await blocker.connect();
  await blocker.query('begin; lock table access_node in access exclusive mode');
  const file = 'latitude,longitude\n48.2,16.3\n';
  const requests = [
    ano.get(url),
    ano.post(NODES).send(newNode()),
    ano.post('/v2/cov/search').set('content-type', 'text/csv').send(file),
  ].map((request) => request.then());
  await until('statements that wait: 3', async () => (await blockedStatements(service.databaseUrl)) === 3);
  relay.cut();
  const [read, write, search] = (await Promise.all(requests)).map((answer) => [
    problemOf(answer),
    answer.body.hint,
    answer.headers['retry-after'],
  ]);
  expect(read).toEqual([refusal(503, 'unavailable'), 'Send the same request again.', '2']);
  // A search by POST changes nothing.
  expect(search).toEqual(read);
  expect(write).toEqual([
    refusal(503, 'outcome-unknown'),
    'Check whether the change was made. Send the request again only if making the change twice does no harm.',
    '2',
  ]);
  await blocker.query('rollback');
  await blocker.end();
});

test('a connection that the database closes during a request costs at most a 503', async () => {
  const work = Array.from({ length: 60 }, () => ano.get(NODES).then(({ status }) => status));
  await sql(
    service.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  expect((await Promise.all(work)).filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect((await ano.get(NODES)).status).toBe(200);
});

test('a valid request id is returned, and an invalid one is replaced', async () => {
  for (const id of ['a', 'A-z.0:9_', 'x'.repeat(128)]) {
    for (const answer of [
      await ano.get(NODES).set('x-request-id', id),
      await ano.get('/nowhere').set('x-request-id', id),
      await live().set('x-request-id', id),
    ]) {
      expect(answer.headers['x-request-id']).toBe(id);
    }
  }
  const made = new Set<string>();
  for (const id of ['', ' ', 'a b', 'x'.repeat(129), 'ä', '<script>', 'a,b', 'a/b', '"']) {
    const answer = await service.anonymous().get(NODES).set('x-request-id', Buffer.from(id).toString('latin1'));
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    made.add(answer.headers['x-request-id']!);
  }
  expect(made.size).toBe(9);
});

test('every kind of response has a request id', async () => {
  const url = `${NODES}${node.node_id}`;
  const answers = [
    ano.get(url),
    ano.get(url).set('if-none-match', '"1"'),
    ano.delete(NODES).query({ relation_id: '00000000-0000-0000-0000-000000000000' }),
    live(),
    ready(),
    ano.get('/metrics'),
    ano.options(NODES),
  ];
  for (const answer of await Promise.all(answers))
    expect([answer.request.url, answer.headers['x-request-id']]).toEqual([answer.request.url, expect.stringMatching(/./)]);
});

test('metrics count requests by the pattern of their route', async () => {
  await ano.get(`${NODES}${node.node_id}`);
  await ano.get(`/v2/cov/nodes/${node.node_id}/x`);
  await ano.get(`${NODES}nonsense`);
  const { text, headers } = await service.anonymous().get('/metrics');
  expect(headers['content-type']).toContain('text/plain');
  const counted = [...text.matchAll(/^http_request_duration_seconds_count\{(.*)\}/gm)].map(([, labels]) => labels);
  expect(counted).toEqual(
    expect.arrayContaining([
      'method="GET",route="/v2/cov/nodes/:node_id",status="200"',
      'method="GET",route="unmatched",status="404"',
      'method="GET",route="/v2/cov/nodes/:node_id",status="422"',
    ]),
  );
  expect(text.includes(node.node_id)).toBe(false);
  expect(text.includes('process_cpu_seconds_total')).toBe(true);
});

test('methods that clients make up share one series', async () => {
  for (const method of ['PROPFIND', 'REPORT']) await fetch(`${service.url}${NODES}`, { method });
  const { text } = await service.anonymous().get('/metrics');
  expect(new Set([...text.matchAll(/^http_request_duration_seconds_count\{method="(\w+)"/gm)].map(([, method]) => method))).toContain(
    'OTHER',
  );
  expect(text).not.toMatch(/PROPFIND|REPORT/);
});
