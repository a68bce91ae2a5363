import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestService, type TestService, until, WebhookReceiver } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import { Registry } from 'prom-client';
import { coverageService } from '../../src/coverage-service.js';
import { create, operator } from '../access-nodes/access-nodes.js';
import { NameServer } from './name-server.js';

const WEBHOOKS = '/v2/cov/webhooks/';
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();
const MAX_WEBHOOKS = 20;

let service: TestService;
let nameServer: NameServer;
let tenants = 0;
const receivers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  nameServer = await new NameServer().start();
});
beforeEach(async () => {
  service = await startTestService(coverageService);
});
afterEach(async () => {
  await service.close();
  expect(await inFlight()).toBe(0);
  await until('the connections to be closed', () => sockets.size === 0);
  await Promise.all(receivers.splice(0).map((receiver) => once(receiver.close(), 'close')));
});
afterAll(() => nameServer.stop());

/** A receiver whose connections are handled by `handle`, once the request has begun to arrive; otherwise it says nothing. */
async function startReceiver(handle: (socket: Socket) => unknown = () => undefined): Promise<string> {
  const receiver = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.once('data', () => void handle(socket));
  }).listen(0, '127.0.0.1');
  receivers.push(receiver);
  await once(receiver, 'listening');
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
}

/** A tenant with a settled node, so that a webhook since an hour ago has something to send. */
async function newTenant() {
  const client = await operator(service, `ano.hostile${++tenants}`);
  await create(client);
  await sleep(1_500);
  const hook = async (url: string, request: object = {}) => {
    const { status, body } = await client.post(WEBHOOKS).send({ url, feed: 'nodes', since: AN_HOUR_AGO, ...request });
    expect(status).toBe(201);
    return { secret: body.secret as string, path: `${WEBHOOKS}${body.webhook_id as string}/` };
  };
  const test = async (url: string) => {
    const { path } = await hook(url, { enabled: false });
    const { body } = await client.post(`${path}test/`);
    await client.delete(path).expect(204);
    return body as object;
  };
  return { hook, test, read: async (path: string) => (await client.get(path)).body as Record<string, unknown> };
}

const inFlight = async (): Promise<number> =>
  (await service.app.get(Registry).getSingleMetric('webhook_deliveries_in_flight')!.get()).values[0]!.value;

test('while name servers do not answer, the service stays ready and opens connections to its database', async () => {
  const { hook, read } = await newTenant();
  const { path } = await hook('https://a.silent.test/');
  for (let index = 1; index < MAX_WEBHOOKS; index++) await hook(`https://a${index}.silent.test/`);
  await until('lookups', () => nameServer.asked.size >= 5);
  const { port, pathname, username, password } = new URL(service.databaseUrl);
  const began = performance.now();
  while (performance.now() - began < volume(1_500, 5_000)) {
    const start = performance.now();
    await service.anonymous().get('/health/ready').expect(200);
    await lookup('localhost');
    const database = new pg.Client(`postgres://${username}:${password}@localhost:${port}${pathname}`);
    await database.connect();
    await database.end();
    expect(performance.now() - start).toBeLessThan(1_000);
    await sleep(100);
  }
  await until('a failure', async () => (await read(path))['state'] === 'failing');
  expect(await read(path)).toMatchObject({ last_error: expect.stringContaining('the host was not found') });
});

test.each([100, 103])('endless responses with status %i end the attempt', async (status) => {
  const heads = Buffer.from(`HTTP/1.1 ${status} Wait\r\n\r\n`.repeat(2_000));
  let sent = 0;
  const url = await startReceiver((socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(heads)) sent += heads.length;
    };
    socket.on('drain', write);
    write();
  });
  const { test } = await newTenant();
  expect(await test(url)).toEqual({ delivered: false, error: 'the response has more than 5 interim responses' });
  expect(sent).toBeLessThan(20_000_000);
});

test('five interim responses are ignored', async () => {
  const heads = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  const { test } = await newTenant();
  const receiver = (count: number) => startReceiver((socket) => socket.end(`${heads.repeat(count)}HTTP/1.1 204 Done\r\n\r\n`));
  expect(await test(await receiver(5))).toEqual({ delivered: true, status: 204 });
  expect(await test(await receiver(6))).toEqual({ delivered: false, error: 'the response has more than 5 interim responses' });
});

test('heads and body together have at most 64 KiB', async () => {
  const head = `HTTP/1.1 103 Early Hints\r\nx: ${'x'.repeat(15_000)}\r\n\r\n`;
  const url = await startReceiver(async (socket) => {
    for (let index = 0; index < 4; index++) {
      socket.write(head);
      await sleep(50);
    }
    socket.write(`HTTP/1.1 204 Done\r\nx: ${'x'.repeat(10_000)}\r\n\r\n`);
  });
  expect(await (await newTenant()).test(url)).toEqual({ delivered: false, error: 'the response has more than 65536 bytes' });
});

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n';
test.each<[string, (socket: Socket) => unknown]>([
  ['hangs', (socket) => socket.write(`${OK}half`)],
  [
    'drips',
    async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      while (!socket.destroyed) {
        socket.write('1\r\nx\r\n');
        await sleep(200);
      }
    },
  ],
  ['is cut short', (socket) => socket.end(`${OK}half`)],
  ['is reset', (socket) => socket.write(`${OK}half`, () => socket.resetAndDestroy())],
  ['is invalid', (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n')],
  [
    'has no end',
    (socket) => socket.on('drain', () => socket.write(Buffer.alloc(16_384))).write(`HTTP/1.1 200 OK\r\n\r\n${' '.repeat(70_000)}`),
  ],
])('a batch with status 200 is delivered, even if the body %s', async (_how, respond) => {
  let requests = 0;
  const url = await startReceiver((socket) => {
    requests++;
    return respond(socket);
  });
  const { hook, read } = await newTenant();
  const { path } = await hook(url);
  await until('its delivery', async () => (await read(path))['last_status'] === 200);
  expect(await read(path)).toMatchObject({ state: 'active' });
  expect(requests).toBe(1);
});

test('tenants whose receivers are all slow do not delay the batches of another tenant', async () => {
  const url = await startReceiver();
  for (const slow of [await newTenant(), await newTenant()]) for (let index = 0; index < MAX_WEBHOOKS; index++) await slow.hook(url);
  const { hook } = await newTenant();
  const receiver = await new WebhookReceiver().start();
  await sleep(2_000);
  expect(await inFlight()).toBeGreaterThan(0);
  const began = performance.now();
  receiver.secrets.push((await hook(receiver.urlOf())).secret);
  await until('the batch', () => receiver.batches.length > 0);
  expect(performance.now() - began).toBeLessThan(4_000);
  await receiver.stop();
});
