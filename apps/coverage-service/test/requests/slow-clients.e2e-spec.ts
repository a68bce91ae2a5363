import { connect, type Socket } from 'node:net';
import { until } from '@fibre/testing';
import { newNode, NODES, operator } from '../access-nodes/access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';
import { sql } from '../database/sql.js';

let service: NarrowService;

beforeEach(async () => void (service = await startNarrowService()));
afterEach(() => service.close());

/** Requests a page that is larger than the system's buffers, and does not read it. */
async function requestPage(): Promise<Socket> {
  const { authorization } = await service.bearer();
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${NODES}?_page_size=2000 HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\n\r\n`);
  return socket;
}
const insertLargeNodes = () =>
  sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, customer_reference)
     select gen_random_uuid(), 'ano.test', '00000000-0000-4000-8000-000000000001', 'nodes', 'planned', 48, 16, 'active', repeat('x', 4000) || n
     from generate_series(1, 2000) n`,
  );
const other = async () => fetch(`${service.url}${NODES}?_page_size=1`, { headers: await service.bearer('ano.other') });
const isCut = async (): Promise<boolean> => (await service.metric('http_slow_readers_cut_total')) > 0;

test('a client that does not read its responses is disconnected, which frees its slots', async () => {
  await insertLargeNodes();
  const socket = await requestPage();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await until('requests in progress > 0', async () => (await service.used('requests')) > 0);
  expect((await other()).status).toBe(200);
  await until('http_slow_readers_cut_total > 0', isCut);
  socket.resume();
  await closed;
  await until('requests in progress === 0', async () => (await service.used('requests')) === 0);
});

test('while others use the service, a client that did not read its responses then gets fewer slots', async () => {
  await service.close();
  const patience = { MAX_REQUESTS_WAITING: '8', MAX_REQUEST_WAIT_MS: '30000', REQUEST_DEADLINE_SECONDS: '30' };
  service = await startNarrowService({ MAX_REQUESTS_IN_FLIGHT: '8', SLOW_READER_SECONDS: '2', ...patience });
  await insertLargeNodes();
  const sockets = await Promise.all(Array.from({ length: 4 }, requestPage));
  await until('a cut connection', async () => (await other()).ok && isCut());
  for (const socket of sockets) socket.destroy();
  const used = (): Promise<number> => service.used('requests');
  const headers = await service.bearer();
  await until('requests in progress === 0', async () => (await used()) === 0);
  await other();
  await service.block();
  const answers = Array.from({ length: 4 }, () => fetch(`${service.url}${NODES}?_page_size=1`, { headers }));
  await until('4 requests', async () => (await used()) + (await service.metric('limit_waiting\\{limit="requests"\\}')) === 4);
  expect(await used()).toBe(2);
  await service.unblock();
  await Promise.all(answers);
});

test('a client that sends a body slowly does not take a slot from other clients, and is served once the body has arrived', async () => {
  const ano = await operator(service);
  const body = JSON.stringify(newNode());
  const { authorization } = await service.bearer();
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
