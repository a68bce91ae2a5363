import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from '@fibre/testing';
import { newNode, NODES } from '../access-nodes/access-nodes.js';
import { type NarrowService, startNarrowService } from './narrow-service.js';

let service: NarrowService;

beforeEach(async () => void (service = await startNarrowService()));
afterEach(() => service.close());

/** Sends a whole request and resets the connection after its last byte. */
async function sendAndLeave(authorization: string, body: Buffer): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  await once(socket, 'connect');
  const head = `POST ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n`;
  const text = `${head}content-length: ${body.length}\r\n\r\n`;
  await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(text), body]), resolve));
  socket.resetAndDestroy();
}

test('clients that leave while their body is read keep no slot', async () => {
  const body = Buffer.from(JSON.stringify({ ...newNode(), address_id: 'x'.repeat(700_000) }));
  for (const tenant of ['ano.test', 'ano.other']) {
    const { authorization } = await service.bearer(tenant);
    await Promise.all(Array.from({ length: 30 }, () => sendAndLeave(authorization, body)));
  }
  await until('no requests in progress', async () => (await service.used('requests')) === 0);
  expect((await fetch(`${service.url}${NODES}`, { headers: await service.bearer() })).status).toBe(200);
});

test('a client that leaves before its first answer keeps no slot for the request that it sent after that one', async () => {
  const { hostname, port } = new URL(service.url);
  const { authorization } = await service.bearer();
  await service.block();
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.write(`GET ${NODES} HTTP/1.1\r\nhost: test\r\nauthorization: ${authorization}\r\n\r\n`.repeat(2));
  await until('both requests are in progress', async () => (await service.used('requests')) === 2);
  socket.resetAndDestroy();
  await service.unblock();
  await until('no requests in progress', async () => (await service.used('requests')) === 0);
});

test('clients that leave while the issuer is silent keep no slot', async () => {
  service.issuer.hang();
  const { authorization } = await service.bearer('ano.late');
  const body = Buffer.from(JSON.stringify(newNode()));
  await Promise.all(Array.from({ length: 20 }, () => sendAndLeave(authorization, body)));
  await until('no tokens being checked', async () => (await service.used('tokens with unknown keys')) === 0);
  expect(await service.used('requests')).toBe(0);
});
