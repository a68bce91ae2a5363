import { startTestService, type TestService, WebhookReceiver } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, operator } from '../access-nodes/access-nodes.js';
import { NameServer } from './name-server.js';

/** A loopback address that is not allowed. */
const TRAP = '127.0.0.2';
const WEBHOOKS = '/v2/cov/webhooks/';
const REFUSED = { delivered: false, error: 'the host was not found, or its address is not public' };

let service: TestService;
let ano: Client;
let nameServer: NameServer;
let trap: WebhookReceiver;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [nameServer, trap, receiver] = await Promise.all([
    new NameServer().start(),
    new WebhookReceiver(TRAP).start(),
    new WebhookReceiver().start(),
  ]);
});
afterEach(() => service.close());
afterAll(async () => {
  await Promise.all([trap.stop(), receiver.stop()]);
  nameServer.stop();
});

async function start(allowed: string): Promise<void> {
  service = await startTestService(coverageService, { WEBHOOK_ALLOW_CIDRS: allowed });
  ano = await operator(service);
}

/** Creates a webhook and sends it tests. */
async function trial(url: string) {
  const { status, body } = await ano.post(WEBHOOKS).send({ url, feed: 'nodes', enabled: false });
  expect([url, status]).toEqual([url, 201]);
  receiver.secrets.push(body.secret as string);
  const path = `${WEBHOOKS}${body.webhook_id as string}/`;
  return { test: async () => (await ano.post(`${path}test/`)).body as object, end: () => ano.delete(path).expect(204) };
}

async function expectResult(url: string, result: object): Promise<void> {
  const webhook = await trial(url);
  expect([url, await webhook.test()]).toEqual([url, result]);
  await webhook.end();
}

const REFUSED_ADDRESSES = [
  '169.254.169.254',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[64:ff9b:1::808:808]',
  '[2001::1]',
  '[4000::1]',
];
/** Private IPv4 addresses within IPv6 addresses: compatible, mapped, NAT64 and 6to4. */
const REFUSED_EMBEDDED = ['7f00:2', 'a9fe:a9fe', 'a00:1', 'a83f:8110', '0:1'].flatMap((address) => [
  `[::${address}]`,
  `[::ffff:${address}]`,
  `[64:ff9b::${address}]`,
  `[2002:${address}::1]`,
]);

test('the service never connects to a refused address, however a URL names it, even if the name had another address before', async () => {
  await start('127.0.0.1');
  const port = new URL(trap.urlOf()).port;
  for (const host of [TRAP, '0x7f.2', '2130706434', '127.2', '[::ffff:127.0.0.2]', '[::ffff:7f00:2]', '[::1]', '0.0.0.0', '[::]'])
    await expectResult(`https://${host}:${port}/`, REFUSED);
  for (const host of [...REFUSED_ADDRESSES, ...REFUSED_EMBEDDED]) await expectResult(`https://${host}/`, REFUSED);

  // A name is refused if any one of its addresses is; localhost also has the address ::1.
  const url = receiver.urlOf('rebound.test').replace('http:', 'https:');
  for (const addresses of [[TRAP], ['127.0.0.1', TRAP], ['127.0.0.1', '::1'], ['169.254.169.254'], ['::ffff:169.254.169.254']]) {
    nameServer.addresses.set('rebound.test', addresses);
    await expectResult(url.replace(/:\d+/, `:${port}`), REFUSED);
  }
  await expectResult(`https://localhost:${port}/`, REFUSED);
  expect(trap.connections).toBe(0);

  // The first lookup finds an allowed address, where a server without TLS answers; the second one finds a refused address.
  nameServer.addresses.set('rebound.test', ['127.0.0.1']);
  const rebound = await trial(url);
  expect(await rebound.test()).toEqual({ delivered: false, error: expect.stringContaining('the connection failed') });
  expect(receiver.connections).toBe(1);
  nameServer.addresses.set('rebound.test', ['169.254.169.254']);
  expect(await rebound.test()).toEqual(REFUSED);
  await rebound.end();
  // A webhook with an allowed address works.
  await expectResult(receiver.urlOf(), { delivered: true, status: 204 });
  expect(receiver.events).toMatchObject([{ type: 'open-access-fibre.webhook.test' }]);
  expect(trap.connections).toBe(0);
});

test('the result is the same for a name that does not exist, has a private address, or whose server does not answer', async () => {
  await start('127.0.0.1');
  nameServer.addresses.set('internal.test', ['10.0.0.1']).set('empty.test', []);
  for (const name of ['internal.test', 'missing.test', 'empty.test', 'a.silent.test']) await expectResult(`https://${name}/`, REFUSED);
  expect([...nameServer.asked]).toEqual(expect.arrayContaining(['internal.test', 'missing.test', 'empty.test', 'a.silent.test']));
});

test('localhost is not looked up', async () => {
  await start('127.0.0.0/8 ::1');
  await expectResult(receiver.urlOf('localhost'), { delivered: true, status: 204 });
  expect([...nameServer.asked]).not.toContain('localhost');
});
