import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { respondWith, startTestService, type TestService, until, WebhookReceiver } from '@fibre/testing';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, newNode, NODES, operator } from '../access-nodes/access-nodes.js';
import { importFile } from '../node-import/imports.js';

const WEBHOOKS = '/v2/cov/webhooks/';
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

const [OK, FAULT] = [respondWith(204), respondWith(500)];

let service: TestService;
let ano: Client;
let tenants = 0;
let database: pg.Client;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  service = await startTestService(coverageService);
  database = new pg.Client(service.databaseUrl);
  await database.connect();
});
beforeEach(async () => {
  ano = await operator(service, `ano.hooks${++tenants}`);
});
afterEach(async () => {
  await database.query('update webhook set enabled = false');
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(async () => {
  await database.end();
  await service.close();
});

async function startReceiver(host?: string): Promise<WebhookReceiver> {
  const receiver = await new WebhookReceiver(host).start();
  receivers.push(receiver);
  return receiver;
}

/** Creates a webhook for a receiver, by default with all changes of the last hour. */
async function hook(receiver: WebhookReceiver, request: object = {}): Promise<string> {
  const answer = await ano.post(WEBHOOKS).send({ url: receiver.urlOf(), feed: 'nodes', since: AN_HOUR_AGO, ...request });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  receiver.secrets.push(answer.body.secret as string);
  return `${WEBHOOKS}${answer.body.webhook_id}/`;
}

/** Creates nodes and waits until they are settled. */
async function createSettled(count: number, node: object = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, () => JSON.stringify(newNode({ ...node })));
  const reads = await ano.post(`${NODES}import`).query({ target: 'nodes' }).type('application/x-ndjson').send(rows.join('\n'));
  expect(reads.body).toMatchObject({ created: count });
  await sleep(1_500);
  const { rows: found } = await database.query<{ id: string }>('select node_id as id from access_node where tenant = $1', [
    `ano.hooks${tenants}`,
  ]);
  return found.map(({ id }) => id);
}

const read = async (url: string) => (await ano.get(url).expect(200)).body as Record<string, unknown>;
const subjects = (receiver: WebhookReceiver): string[] => [...new Set(receiver.events.map(({ subject }) => subject))].sort();
const all = (receiver: WebhookReceiver, ids: readonly string[]) => until('all changes', () => subjects(receiver).length === ids.length);

test('every change arrives, in order, in batches of at most 100 CloudEvents', async () => {
  const ids = await createSettled(250);
  const receiver = await startReceiver();
  const url = await hook(receiver);
  await all(receiver, ids);
  expect(receiver.faults()).toEqual([]);
  expect(subjects(receiver)).toEqual(ids.sort());
  expect(receiver.batches.map(({ events }) => events.length)).toEqual([100, 100, 50]);
  expect(new Set(receiver.batches.map(({ id }) => id)).size).toBe(3);
  const listed = (await ano.get(`${NODES}changes/`).query({ _page_size: 1 })).body as unknown[];
  expect(receiver.batches[0]!.headers['content-type']).toBe('application/cloudevents-batch+json');
  expect(receiver.events[0]).toEqual({
    specversion: '1.0',
    id: `${receiver.events[0]!.subject}@${receiver.events[0]!.time}`,
    source: '/v2/cov/nodes/changes/',
    type: 'open-access-fibre.nodes.upserted',
    subject: expect.any(String),
    time: receiver.events[0]!.data.changed_at,
    datacontenttype: 'application/json',
    data: listed[0],
  });
  await until('it is up to date', async () => (await read(url))['delivered_until']! > receiver.events.at(-1)!.time);
  expect(await read(url)).toMatchObject({ state: 'active', enabled: true, last_status: 204 });
});

test('batches of two webhooks have ids of their own, even with the same changes: one receiver may have both webhooks', async () => {
  const ids = await createSettled(1);
  const [one, other] = await Promise.all([startReceiver(), startReceiver()]);
  await Promise.all([hook(one), hook(other)]);
  await Promise.all([all(one, ids), all(other, ids)]);
  expect(other.batches[0]!.events).toEqual(one.batches[0]!.events);
  expect(other.batches[0]!.id).not.toBe(one.batches[0]!.id);
});

test('of a file of the whole relation, what is new, changed and deleted arrives, and nothing else; of a merge, nothing that is equal', async () => {
  const relation_id = randomUUID();
  const send = (target: string, references: string[], query = {}) => {
    const rows = references.map((customer_reference) => JSON.stringify(newNode({ relation_id, customer_reference })));
    return importFile(ano, rows.join('\n'), { format: 'ndjson', query: { relation_id, target, ...query } });
  };
  await send('nodes', ['kept', 'gone']);
  await send('prenodes', ['kept', 'merged']);
  const receiver = await startReceiver();
  await hook(receiver);
  await until('both nodes', () => receiver.events.length === 2);
  await send('nodes', ['kept', 'new'], { absent: 'delete' });
  await until('the import', () => receiver.events.length === 4);
  await ano.put(NODES).query({ relation_id }).expect(200);
  await until('the merge', () => receiver.events.length === 5);
  const shown = ({ data }: WebhookReceiver['events'][number]) =>
    [data.change, (data as { node?: { customer_reference?: string } }).node?.customer_reference].join(' ');
  expect(receiver.events.slice(2, 4).map(shown).sort()).toEqual(['deleted ', 'upserted new']);
  expect(receiver.events.slice(4).map(shown)).toEqual(['upserted merged']);
});

test('a receiver that is down gets everything once it is back; until then, its webhook is in the failing state', async () => {
  const ids = await createSettled(3);
  const receiver = await startReceiver();
  await receiver.stop();
  const url = await hook(receiver);
  await until('it fails', async () => (await read(url))['state'] === 'failing');
  const failing = await read(url);
  expect(failing).toMatchObject({ enabled: true, last_error: 'the connection failed: ECONNREFUSED', failing_since: expect.any(String) });
  expect(failing['last_status']).toBeUndefined();
  await receiver.start();
  await all(receiver, ids);
  await until('it is active', async () => (await read(url))['state'] === 'active');
  const after = await read(url);
  expect([after['last_error'], after['failing_since']]).toEqual([undefined, undefined]);
});

const metrics = async (): Promise<string> => (await service.anonymous().get('/metrics')).text;
const disabled = async (): Promise<number> => Number(/^webhooks_disabled_total (\d+)$/m.exec(await metrics())?.[1]);

test('metrics count webhooks by state, and say how far the last one is behind', async () => {
  await createSettled(1);
  const receiver = await startReceiver();
  receiver.respond = FAULT;
  const url = await hook(receiver);
  await hook(await startReceiver(), { enabled: false });
  await until('it fails', async () => (await read(url))['state'] === 'failing');
  await until('it is measured', async () => (await metrics()).includes('webhooks{state="failing"} 1'));
  const text = await metrics();
  expect(Number(/^webhooks\{state="disabled"\} (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
  expect(Number(/^webhook_lag_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(3_000);
});

test('a test says why a receiver rejects it', async () => {
  const receiver = await startReceiver();
  const url = await hook(receiver, { enabled: false });
  const test = async (): Promise<unknown> => (await ano.post(`${url}test/`).expect(200)).body;
  receiver.respond = respondWith(415);
  expect(await test()).toEqual({
    delivered: false,
    status: 415,
    error: 'responded 415; the receiver does not accept application/cloudevents-batch+json',
  });
  receiver.respond = respondWith(301);
  expect(await test()).toEqual({ delivered: false, status: 301, error: 'responded 301; redirects are not followed' });
});

/** Makes a webhook fail as if it had already been failing for this long. */
async function failAfter(url: string, failingFor: string): Promise<{ pause: number; enabled: boolean }> {
  const webhookId = url.split('/').at(-2);
  const change = 'update webhook set due_at = now(), failing_since = now() - $2::interval, last_status = null where webhook_id = $1';
  await database.query(change, [webhookId, failingFor]);
  const select = 'select extract(epoch from due_at - now())::float8 as pause, enabled, last_status from webhook where webhook_id = $1';
  return until('it failed', async () => {
    const [row] = (await database.query<{ pause: number; enabled: boolean; last_status: number | null }>(select, [webhookId])).rows;
    return row!.last_status === 500 && row;
  });
}

test('a webhook pauses for as long as it has been failing, 5 s to an hour; after three days it must be enabled again', async () => {
  const ids = await createSettled(1);
  const receiver = await startReceiver();
  receiver.respond = FAULT;
  const url = await hook(receiver);
  for (const [failingFor, least, most] of [
    ['0 s', 3, 7],
    ['100 s', 95, 130],
    ['10 h', 3_590, 4_510],
  ] as const) {
    const { pause, enabled } = await failAfter(url, failingFor);
    expect([failingFor, enabled, pause > least, pause < most]).toEqual([failingFor, true, true, true]);
  }
  expect((await failAfter(url, '3 days 1 min')).enabled).toBe(false);
  expect(await read(url)).toMatchObject({
    state: 'disabled',
    enabled: false,
    last_status: 500,
    last_error: 'disabled after 3 days: responded 500',
  });
  expect(await metrics()).toContain('webhooks_disabled_total 1');

  const before = receiver.batches.length;
  receiver.respond = OK;
  expect((await ano.patch(url).send({ enabled: true })).body).toMatchObject({ state: 'active', enabled: true });
  await database.query('update webhook set due_at = now() where enabled');
  await until('it continues', () => receiver.batches.length > before);
  expect(subjects(receiver)).toEqual(ids);
  expect(receiver.faults()).toEqual([]);
});

test('a receiver that fails every third time, or closes the connection, gets the same batch again with the same id', async () => {
  const ids = await createSettled(250);
  const receiver = await startReceiver();
  let requests = 0;
  receiver.respond = (response) => {
    if (++requests % 3 === 0) return FAULT(response);
    if (requests % 4 !== 0) return OK(response);
    return response.destroy();
  };
  await hook(receiver);
  // Changes a node in the failed batch, so that the repeated batch has fewer events.
  await until('a failure', () => requests >= 3);
  const [again] = receiver.batches[2]!.events;
  await ano.patch(`${NODES}${again!.subject}/`).send({ technology: 'changed' }).expect(200);
  await all(receiver, ids);
  await until('the change', () => receiver.events.some(({ subject, time }) => subject === again!.subject && time > again!.time));
  expect(receiver.faults()).toEqual([]);
  expect(receiver.batches.length).toBeGreaterThan(new Set(receiver.batches.map(({ id }) => id)).size);
});

test('a slow response and a redirect are failures, and a long response is not read to its end', async () => {
  const ids = await createSettled(1);
  const elsewhere = await startReceiver();
  const [slow, redirecting, endless] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  slow.respond = (response) => (slow.batches.length > 1 ? OK(response) : undefined);
  redirecting.respond = (response) => response.writeHead(307, { location: elsewhere.urlOf() }).end();
  let sent = 0;
  endless.respond = (response) => {
    response.writeHead(200);
    const write = (): unknown => !response.destroyed && response.write(Buffer.alloc((sent += 16_384) && 16_384)) && setImmediate(write);
    response.on('drain', write);
    write();
  };
  const [ofSlow, ofRedirecting, ofEndless] = await Promise.all([hook(slow), hook(redirecting), hook(endless)]);
  await until('the redirect', async () => (await read(ofRedirecting))['state'] === 'failing');
  expect(await read(ofRedirecting)).toMatchObject({ last_status: 307, last_error: 'responded 307; redirects are not followed' });
  await until('the long response', async () => (await read(ofEndless))['last_status'] === 200);
  expect(sent).toBeLessThan(10_000_000);
  await until('the slow response', async () => (await read(ofSlow))['state'] === 'failing');
  expect(await read(ofSlow)).toMatchObject({ last_error: 'no response within 10 s' });
  await until('its repeat', async () => (await read(ofSlow))['state'] === 'active');
  expect([subjects(slow), slow.batches.map(({ id }) => id)]).toEqual([ids, [slow.batches[0]!.id, slow.batches[0]!.id]]);
  expect(elsewhere.connections).toBe(0);
});

test('a webhook whose position is older than the retained deletions is disabled and counted, and says why', async () => {
  const receiver = await startReceiver();
  const url = await hook(receiver, { since: undefined, enabled: false });
  const [{ place }] = (await database.query<{ place: string }>('select place from webhook where webhook_id = $1', [url.split('/').at(-2)]))
    .rows as [{ place: string }];
  const old = Buffer.from(place, 'base64url');
  for (const offset of [30, 36]) old.writeUIntBE(Date.now() - 31 * 86_400_000, offset, 6);
  const before = await disabled();
  await database.query('update webhook set place = $2, enabled = true, due_at = now() where webhook_id = $1', [
    url.split('/').at(-2),
    old.toString('base64url'),
  ]);
  await until('it is disabled', async () => (await read(url))['state'] === 'disabled');
  expect(await read(url)).toMatchObject({ last_error: expect.stringContaining('changes-gone') });
  await until('it is counted', async () => (await disabled()) === before + 1);
});
