import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  cloneDatabase,
  type ClonedDatabase,
  type ServiceProcess,
  startServiceProcess,
  startTestIssuer,
  TEST_AUDIENCE,
  type TestIssuer,
  WebhookReceiver,
} from '@fibre/testing';
import { ALL_SCOPES } from '../access-nodes/access-nodes.js';

/** A loopback address that is not allowed. */
const TRAP = '127.0.0.2';
const folder = mkdtempSync(join(tmpdir(), 'rebound-'));
const names = join(folder, 'names.json');

let issuer: TestIssuer;
let database: ClonedDatabase;
let service: ServiceProcess;
let trap: WebhookReceiver;
let receiver: WebhookReceiver;
let headers: Record<string, string>;

beforeAll(async () => {
  [issuer, database, trap, receiver] = await Promise.all([
    startTestIssuer(),
    cloneDatabase(),
    new WebhookReceiver(TRAP).start(),
    new WebhookReceiver().start(),
  ]);
  headers = { authorization: `Bearer ${await issuer.token({ scope: ALL_SCOPES })}`, 'content-type': 'application/json' };
});
afterAll(async () => {
  await service.kill();
  await Promise.all([issuer.close(), database.drop(), trap.stop(), receiver.stop()]);
  rmSync(folder, { recursive: true });
});

const start = async (settings: NodeJS.ProcessEnv): Promise<ServiceProcess> =>
  (service = await startServiceProcess('coverage-service', {
    DATABASE_URL: database.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    REBOUND_NAMES: names,
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'rebound-names.mjs')).href}`,
    ...settings,
  }));

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${service.url}/v2/cov/webhooks/${path}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const resolve = (addresses: Record<string, string[]>): void => writeFileSync(names, JSON.stringify(addresses));

/** Creates a webhook and sends it a test. */
async function trial(url: string) {
  const { status, body } = await call('POST', '', { url, feed: 'nodes' });
  expect([url, status]).toEqual([url, 201]);
  receiver.secrets.push(body['secret'] as string);
  const test = async () => (await call('POST', `${body['webhook_id'] as string}/test/`)).body;
  return { test, end: () => fetch(`${service.url}/v2/cov/webhooks/${body['webhook_id'] as string}/`, { method: 'DELETE', headers }) };
}

const REFUSED = { delivered: false, error: 'the address is not public' };

test('the service never connects to a refused address, however a URL names it, even if the name had another address before', async () => {
  await start({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1' });
  const port = new URL(trap.urlOf()).port;
  for (const host of [TRAP, '0x7f.2', '2130706434', '127.2', '[::ffff:127.0.0.2]', '[::ffff:7f00:2]', '[::1]', '0.0.0.0', '[::]'])
    await expectRefused(`https://${host}:${port}/`);
  for (const host of [
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '168.63.129.16',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[64:ff9b::a9fe:a9fe]',
  ])
    await expectRefused(`https://${host}/`);

  // A name is refused if any one of its addresses is.
  const url = receiver.urlOf('rebound.test').replace('http:', 'https:');
  for (const addresses of [[TRAP], ['127.0.0.1', TRAP], ['169.254.169.254'], ['::ffff:169.254.169.254']]) {
    resolve({ 'rebound.test': addresses });
    await expectRefused(url.replace(/:\d+/, `:${port}`));
  }
  expect(trap.connections).toBe(0);

  // The first lookup finds an allowed address, where a server without TLS answers; the second one finds a refused address.
  resolve({ 'rebound.test': ['127.0.0.1'] });
  const rebound = await trial(url);
  expect(await rebound.test()).toEqual({ delivered: false, error: expect.stringContaining('the connection failed') });
  expect(receiver.connections).toBe(1);
  resolve({ 'rebound.test': ['169.254.169.254'] });
  expect(await rebound.test()).toEqual(REFUSED);
  await rebound.end();
  // A webhook with an allowed address works.
  const good = await trial(receiver.urlOf());
  expect(await good.test()).toEqual({ delivered: true, status: 204 });
  expect(receiver.events).toMatchObject([{ type: 'open-access-fibre.webhook.test' }]);
  await good.end();
  expect(trap.connections).toBe(0);
});

async function expectRefused(url: string): Promise<void> {
  const webhook = await trial(url);
  expect([url, await webhook.test()]).toEqual([url, REFUSED]);
  await webhook.end();
}
