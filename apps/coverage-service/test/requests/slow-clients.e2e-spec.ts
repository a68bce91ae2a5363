import { connect, type Socket } from 'node:net';
import { until } from '@fibre/testing';
import { newNode, NODES, operator } from '../access-nodes/access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';
import { sql } from '../database/sql.js';

let service: NarrowService;

beforeEach(async () => void (service = await startNarrowService()));
afterEach(() => service.close());

test('a client that does not read its responses is disconnected, which frees its slots', async () => {
  await sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, customer_reference)
     select gen_random_uuid(), 'ano.test', '00000000-0000-4000-8000-000000000001', 'nodes', 'planned', 48, 16, 'active', repeat('x', 200) || n
     from generate_series(1, 2000) n`,
  );
  const { authorization } = await service.bearer();
  const { hostname, port } = new URL(service.url);
  const socket: Socket = connect(Number(port), hostname).on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.pause();
  // Pipelined requests for a megabyte each, more than the system's buffers hold.
  const request = `GET ${NODES}?_page_size=2000 HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\n\r\n`;
  const sender = setInterval(() => socket.write(request), 50);
  try {
    await until('requests in progress > 0', async () => (await service.used('requests')) > 0);
    const other = await fetch(`${service.url}${NODES}?_page_size=1`, { headers: await service.bearer('ano.other') });
    expect(other.status).toBe(200);
    await until('http_slow_readers_cut_total > 0', async () => (await service.metric('http_slow_readers_cut_total')) > 0);
    socket.resume();
    await closed;
  } finally {
    clearInterval(sender);
    socket.destroy();
  }
  await until('requests in progress === 0', async () => (await service.used('requests')) === 0);
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
