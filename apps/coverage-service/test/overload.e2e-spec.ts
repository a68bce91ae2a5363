import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startTestService, type TestService, until } from '@fibre/testing';
import pg from 'pg';
import { coverageService } from '../src/coverage-service.js';
import { create, newNode, NODES, operator, SEARCH } from './access-nodes.js';
import { sql } from './sql.js';

const SETTINGS = {
  MAX_REQUESTS_IN_FLIGHT: '4',
  MAX_REQUESTS_WAITING: '0',
  DATABASE_POOL_SIZE: '1',
  REQUEST_DEADLINE_SECONDS: '2',
  SLOW_READER_SECONDS: '1',
};
const SCOPE = 'coverage:read coverage:write coverage:search';

let service: TestService;
let blocker: pg.Client;

beforeEach(async () => {
  service = await startTestService(coverageService, SETTINGS);
  blocker = new pg.Client(service.databaseUrl);
  blocker.on('error', () => undefined);
  await blocker.connect();
});
afterEach(async () => {
  await blocker.end();
  await service.close();
});

/** Until it is undone, every statement on nodes waits. */
const block = () => blocker.query('begin; lock table access_node in access exclusive mode');
const unblock = () => blocker.query('rollback');
const blocked = async (): Promise<number> => {
  const { rows } = await blocker.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]!.count;
};
const metric = async (name: string): Promise<number> => {
  const { text } = await service.anonymous().get('/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};
const bearer = async (claims = {}) => ({ authorization: `Bearer ${await service.issuer.token({ scope: SCOPE, claims })}` });
const bulkDelete = `${NODES}?relation_id=00000000-0000-4000-8000-000000000001`;

test('what is over the bound is refused at once, before its token is looked at; probes pass, and who was admitted is served', async () => {
  await block();
  const headers = await Promise.all([bearer({ jti: 'a' }), bearer({ jti: 'b' })]);
  const admitted = [...headers, ...headers].map((each) => fetch(`${service.url}${SEARCH}?center=0,0`, { headers: each }));
  // The pool has two connections, and the two other requests wait for one.
  await until('http_requests_in_flight === 4', async () => (await metric('http_requests_in_flight')) === 4);

  const refused = await fetch(`${service.url}${NODES}x?y=z`, { headers: { authorization: 'Bearer forged', 'x-request-id': 'mine' } });
  expect(refused.status).toBe(503);
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'content-type': 'application/problem+json',
    'retry-after': expect.stringMatching(/^[1-9]$/) as string,
    'x-request-id': 'mine',
  });
  expect(await refused.json()).toMatchObject({ status: 503, code: 'unavailable', instance: `${NODES}x`, request_id: 'mine' });
  for (const path of ['/health/live', '/health/ready', '/metrics']) expect((await fetch(service.url + path)).status).toBe(200);
  expect(await metric('http_requests_refused_total\\{reason="queue-full"\\}')).toBe(1);

  await unblock();
  for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200);
});

test('a client that comes back at once on the same connection is refused later each time', async () => {
  await block();
  const headers = await Promise.all([bearer({ jti: 'a' }), bearer({ jti: 'b' })]);
  const admitted = [...headers, ...headers].map((each) => fetch(`${service.url}${SEARCH}?center=0,0`, { headers: each }));
  await until('http_requests_in_flight === 4', async () => (await metric('http_requests_in_flight')) === 4);

  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  /** Milliseconds until the refusal. */
  const refusal = async (): Promise<number> => {
    const begin = performance.now();
    socket.write('GET / HTTP/1.1\r\nhost: test\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 503 /);
    return performance.now() - begin;
  };
  for (let times = 0; times < 5; times++) await refusal();
  const [late, later] = [await refusal(), await refusal()];
  expect([late >= 70, later >= 140]).toEqual([true, true]);
  socket.destroy();
  await unblock();
  await Promise.all(admitted);
});

test('one client takes three quarters of the places at most', async () => {
  await block();
  const headers = await bearer();
  const greedy = Array.from({ length: 6 }, () => fetch(`${service.url}${SEARCH}?center=0,0`, { headers }));
  await until(
    'http_requests_refused_total === 3',
    async () => (await metric('http_requests_refused_total\\{reason="queue-full"\\}')) === 3,
  );
  expect(await metric('http_requests_in_flight')).toBe(3);
  const modest = fetch(`${service.url}${SEARCH}?center=0,0`, { headers: await bearer({ jti: 'modest' }) });
  await until('http_requests_in_flight === 4', async () => (await metric('http_requests_in_flight')) === 4);
  await unblock();
  expect((await modest).status).toBe(200);
  expect((await Promise.all(greedy)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503, 503]);
});

test('when its client has gone, a statement is cancelled on the server and nothing is done', async () => {
  const ano = await operator(service);
  const node = await create(ano);
  await block();
  const client = new AbortController();
  // It has a minute of its own.
  const url = `${service.url}${NODES}?relation_id=${node.relation_id}`;
  const request = fetch(url, { method: 'DELETE', headers: await bearer(), signal: client.signal }).catch(() => 'gone');
  await until('statements that wait: 1', async () => (await blocked()) === 1);
  client.abort();
  expect(await request).toBe('gone');
  const begin = performance.now();
  await until('statements that wait: 0', async () => (await blocked()) === 0);
  expect(performance.now() - begin).toBeLessThan(30_000);
  await unblock();
  expect((await ano.get(`${NODES}${node.node_id}`)).body).toEqual(node);
  expect(await metric('http_requests_cancelled_total\\{reason="client-gone"\\}')).toBe(1);
});

test('at its deadline a request ends with 503, waiting for a connection or for a statement, whoever made that', async () => {
  const ano = await operator(service);
  const { node_id } = await create(ano);
  await block();
  const answers = await Promise.all([
    ano.get(`${NODES}${node_id}`),
    ano.post(NODES).send(newNode()),
    ...['c', 'd'].map(async (jti) => (await service.as({ scope: SCOPE, claims: { jti } })).get(SEARCH).query({ center: '0,0' })),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(answer.body.detail).toBe('The request took too long; nothing was done.');
  }
  await until('statements that wait: 0', async () => (await blocked()) === 0);
  await unblock();
  expect((await ano.get(NODES)).body).toHaveLength(1);
});

test('a service whose connections are all in use is ready', async () => {
  await block();
  const headers = await bearer();
  const stuck = [1].map(() => fetch(service.url + bulkDelete, { method: 'DELETE', headers }));
  await until('statements that wait: 1', async () => (await blocked()) === 1);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await unblock();
  for (const answer of await Promise.all(stuck)) expect(answer.status).toBe(204);
});

test('a client that does not read its answers is cut, and takes no place from others', async () => {
  await sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, customer_reference)
     select gen_random_uuid(), 'ano.test', '00000000-0000-4000-8000-000000000001', 'nodes', 'planned', 48, 16, 'active', repeat('x', 200) || n
     from generate_series(1, 2000) n`,
  );
  const { authorization } = await bearer();
  const { hostname, port } = new URL(service.url);
  const socket: Socket = connect(Number(port), hostname).on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.pause();
  // One behind the other, and each a megabyte: more than the buffers of the system hold.
  const request = `GET ${NODES}?_page_size=2000 HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\n\r\n`;
  const sender = setInterval(() => socket.write(request), 50);
  try {
    await until('http_slow_readers_cut_total > 0', async () => (await metric('http_slow_readers_cut_total')) > 0);
    expect(await metric('http_requests_in_flight')).toBe(0);
    socket.resume();
    await closed;
  } finally {
    clearInterval(sender);
    socket.destroy();
  }
  await until('http_unread_answer_bytes === 0', async () => (await metric('http_unread_answer_bytes')) === 0);
});

test('who sends a body slowly takes no place from others, and is served when it is there', async () => {
  const ano = await operator(service);
  const body = JSON.stringify(newNode());
  const { authorization } = await bearer();
  const { hostname, port } = new URL(service.url);
  const slow = Array.from({ length: 8 }, () => {
    const socket = connect(Number(port), hostname);
    const head = `POST ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body.slice(0, 10)}`);
    return socket;
  });
  expect((await ano.get(NODES)).status).toBe(200);
  for (const socket of slow) {
    const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    socket.write(body.slice(10));
    expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
  }
});
