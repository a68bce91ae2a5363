import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, FROM_SOURCES, Program, until } from '@fibre/testing/processes';
import { verifyWebhook } from '../src/index.js';
import { client, WORKSPACE } from './stack.js';

/** In the package's folder, so that the program can import the package by name. */
const FILE = join(import.meta.dirname, 'receiver-of-docs.mjs');

const receivers: Program[] = [];

afterAll(() => Promise.all([...receivers.map((receiver) => receiver.stop()), rm(FILE)]));

function start(file: string, url: string, secret: string): Program {
  const env = { PATH: process.env.PATH, PORT: new URL(url).port, WEBHOOK_SECRET: secret };
  const receiver = new Program({ name: 'receiver', args: [...FROM_SOURCES, file], cwd: WORKSPACE, env, readyUrl: url });
  receivers.push(receiver);
  return receiver;
}

const unsigned = async (url: string) => (await fetch(url, { method: 'POST', body: '[]' }).catch(() => undefined))?.status;

it('the receiver in docs/webhooks.md accepts what both services send, and nothing else', async () => {
  const page = await readFile(join(WORKSPACE, 'docs/webhooks.md'), 'utf8');
  await writeFile(FILE, /```js\n([^]*?)```/.exec(page)![1]!);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { coverage, events } = client();
  const created = await coverage.webhooks.create({ url, feed: 'nodes' });
  const receiver = start(FILE, url, created.secret);
  await until('the refusal of an unsigned batch', async () => (await unsigned(url)) === 400);
  expect(await coverage.webhooks.test(created.webhook_id)).toEqual({ delivered: true, status: 204 });
  expect(receiver.lines).toContainEqual(expect.stringContaining('open-access-fibre.webhook.test'));

  const { node_id } = await coverage.nodes.create(
    { relation_id: created.webhook_id, token: 'planned', center: '48.2, 16.3' },
    { target: 'nodes' },
  );
  await until('the node', () => receiver.lines.some((line) => line.startsWith(`open-access-fibre.nodes.upserted ${node_id}`)));

  const { secret, webhook_id } = await coverage.webhooks.rotate(created.webhook_id);
  expect(secret).not.toBe(created.secret);
  expect((await coverage.webhooks.test(webhook_id)).delivered).toBe(true);
  expect(await coverage.webhooks.update(webhook_id, { enabled: false })).toMatchObject({ state: 'disabled' });
  expect(await coverage.webhooks.read(webhook_id)).toMatchObject({ url, enabled: false });

  // This webhook has a different secret.
  const other = await events.webhooks.create({ url, feed: 'events' });
  expect(await events.webhooks.test(other.webhook_id)).toEqual({ delivered: false, status: 400, error: 'responded 400' });
  for (const webhooks of [coverage.webhooks, events.webhooks]) {
    for await (const webhook of webhooks.list()) await webhooks.delete(webhook.webhook_id);
    for await (const webhook of webhooks.list()) throw new Error(`${webhook.webhook_id} is still there`);
  }
});

// `npm run receivers` tries these and the others with many events.
it.each(['express.mjs', 'nest.ts'])('the receiver docs/receivers/%s accepts what the service sends, and nothing else', async (file) => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const { webhooks } = client().coverage;
  const { webhook_id, secret } = await webhooks.create({ url, feed: 'nodes' });
  const receiver = start(join('docs/receivers', file), url, secret);
  await until('the refusal of an unsigned batch', async () => (await unsigned(url)) === 400);
  expect(await webhooks.test(webhook_id)).toEqual({ delivered: true, status: 204 });
  await until('the test event', () => receiver.lines.some((line) => line.startsWith('open-access-fibre.webhook.test ')));
  await webhooks.delete(webhook_id);
});

it('an unsigned batch, or one signed too long ago, is rejected', () => {
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
  expect(() => verifyWebhook('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', headers, '[]')).toThrow('too old');
  expect(() => verifyWebhook('whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', new Headers(), '[]')).toThrow('Missing required headers');
});
