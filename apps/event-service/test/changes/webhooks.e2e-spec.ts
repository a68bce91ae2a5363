import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestService, type TestService, until, WebhookReceiver } from '@fibre/testing';
import Express from 'express';
import { eventService } from '../../src/event-service.js';
import { startReplica } from '../order/replicas.js';
import { newEntity, newTenant, notification, requestsOf } from '../events/events.js';

const WEBHOOKS = '/api/v2/sys/webhooks/';

/** The time this many minutes after 10:00 in Vienna, on a fixed day. */
const minute = (index: number): string => `2026-01-05T1${Math.floor(index / 60)}:${String(index % 60).padStart(2, '0')}:00+01:00`;

let service: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await new WebhookReceiver().start();
  service = await startTestService(eventService);
});
afterAll(async () => {
  await service.close();
  await receiver.stop();
});

test('all production events that pass the filters arrive, in batches up to 1 MiB, and a stopping replica finishes its batch', async () => {
  const { client, record } = await newTenant(service);
  const entity = newEntity();
  const bodies = Array.from({ length: 80 }, (_, index) =>
    notification(index % 2 ? entity : newEntity(), 1, { event_at: minute(index), usr_attributes: { blob: '😀'.repeat(4_000), index } }),
  );
  const since = new Date(Date.now() - 1_000).toISOString();
  await requestsOf(client, { namespace: 'test' }).record(notification(newEntity(), 1));
  const ids = await record(...bodies);
  await sleep(1_500);

  const replica = await startReplica(service);
  receiver.respond = (response) => setTimeout(() => response.writeHead(204).end(), 500);
  const created = await client.post(WEBHOOKS).send({ url: receiver.urlOf(), feed: 'events', since });
  expect([created.status, created.headers['location']]).toEqual([201, `${WEBHOOKS}${created.body.webhook_id}/`]);
  receiver.secrets.push(created.body.secret as string);
  await until('the first batch', () => receiver.batches.length > 0);
  await replica.close();
  await until('all events', () => receiver.events.length >= ids.length);
  expect(receiver.faults()).toEqual([]);
  expect(receiver.events.map(({ subject }) => subject).sort()).toEqual(ids.sort());
  expect(receiver.events[0]).toMatchObject({ source: '/api/v2/sys/events/changes/', type: 'open-access-fibre.events.created' });
  expect(receiver.batches.length).toBeGreaterThan(1);
  for (const { text } of receiver.batches) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 ** 2);

  const filtered = await client.post(WEBHOOKS).send({ url: receiver.urlOf(), feed: 'events', since, entity_id: entity });
  receiver.secrets.push(filtered.body.secret as string);
  const before = receiver.events.length;
  await until('the events of the entity', () => receiver.events.length === before + 40);
  const deletions = [created, filtered].map(({ body }) => client.delete(`${WEBHOOKS}${body.webhook_id}/`));
  expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual([204, 204]);
});

test('a rejection names everything that is wrong, including filters for events', async () => {
  const { client } = await newTenant(service);
  const answer = await client.post(WEBHOOKS).set('namespace', 'test').send({ url: 'http://10.0.0.1/', feed: 'nodes' });
  expect([answer.status, answer.body.errors.map((error: Record<string, string>) => error['pointer'] ?? error['parameter'])]).toEqual([
    422,
    ['namespace', '#/url', '#/feed'],
  ]);
  const filters = { entity_id: 'x', event_type: 'none', relation_id: 'x' };
  const other = await client.post(WEBHOOKS).send({ url: 'https://crm.example/', feed: 'events', ...filters });
  expect(other.body.errors.map((error: Record<string, string>) => error['pointer']).sort()).toEqual([
    '#/entity_id',
    '#/event_type',
    '#/relation_id',
  ]);
});

test.each(['true', 'false'])('every operation with a namespace is rejected (NAMESPACES_ENABLED=%s)', async (NAMESPACES_ENABLED) => {
  const own = await startTestService(eventService, { NAMESPACES_ENABLED });
  const { client } = await newTenant(own);
  const { body } = await client.post(WEBHOOKS).send({ url: receiver.urlOf(), feed: 'events', enabled: false });
  const url = `${WEBHOOKS}${body.webhook_id}/`;
  for (const request of [
    client.post(WEBHOOKS).send({ url: receiver.urlOf(), feed: 'events' }),
    client.get(WEBHOOKS),
    client.get(url),
    client.patch(url).send({ enabled: true }),
    client.post(`${url}test/`),
    client.post(`${url}rotate/`),
    client.delete(url),
  ]) {
    const answer = await request.set('namespace', 'dev-1');
    expect([request.method, answer.status, answer.body.errors]).toEqual([
      request.method,
      422,
      [expect.objectContaining({ parameter: 'namespace' })],
    ]);
  }
  await client.get(url).expect(200);
  await own.close();
});

describe('a receiver that accepts less than a batch', () => {
  let express: Server;
  let largest = 0;
  const received: string[] = [];
  const sizes: number[] = [];
  const statuses: number[] = [];

  beforeAll(async () => {
    const app = Express();
    app.use((_request, response, next) => {
      response.on('finish', () => statuses.push(response.statusCode));
      next();
    });
    // Without a limit of its own, Express accepts 100 kB.
    app.use(Express.text({ type: '*/*' }));
    app.post('/hook', (request, response) => {
      const text = request.body as string;
      largest = Math.max(largest, Buffer.byteLength(text));
      const subjects = (JSON.parse(text) as { subject: string }[]).map(({ subject }) => subject);
      received.push(...subjects);
      sizes.push(subjects.length);
      response.sendStatus(204);
    });
    express = app.listen(0, '127.0.0.1');
    await once(express, 'listening');
  });
  afterAll(() => once(express.close(), 'close'));

  test('gets every event once, in smaller batches, and is not called failing', async () => {
    const { client, record } = await newTenant(service);
    const since = new Date(Date.now() - 1_000).toISOString();
    const blob = 'x'.repeat(1_200);
    const ids = await record(...Array.from({ length: 160 }, () => notification(newEntity(), 1, { usr_attributes: { blob } })));
    await sleep(1_500);
    const url = `http://127.0.0.1:${(express.address() as AddressInfo).port}/hook`;
    const { body: created } = await client.post(WEBHOOKS).send({ url, feed: 'events', since });
    const path = `${WEBHOOKS}${created.webhook_id}/`;
    const states = new Set<unknown>();
    await until('all events', async () => {
      const { body } = await client.get(path);
      states.add(body.state);
      if (body.last_error) expect(body.last_error).toMatch(/^responded 413; the next batch has at most \d+ events instead of \d+$/);
      return received.length >= ids.length;
    });
    expect(received.sort()).toEqual(ids.sort());
    expect(statuses).toContain(413);
    // The size grows by a tenth after each delivery, so that few batches are refused.
    expect(sizes.some((size, index) => size > (sizes[index - 1] ?? size))).toBe(true);
    expect(statuses.filter((status) => status === 413).length).toBeLessThan(statuses.length / 2);
    expect(largest).toBeGreaterThan(50_000);
    expect([...states]).toEqual(['active']);
    await client.delete(path).expect(204);
  });

  test('that refuses even a single event is failing', async () => {
    const { client, record } = await newTenant(service);
    const since = new Date(Date.now() - 1_000).toISOString();
    await record(notification(newEntity(), 1), notification(newEntity(), 1));
    await sleep(1_500);
    receiver.respond = (response) => response.writeHead(413).end();
    const { body: created } = await client.post(WEBHOOKS).send({ url: receiver.urlOf(), feed: 'events', since });
    receiver.secrets.push(created.secret as string);
    const path = `${WEBHOOKS}${created.webhook_id}/`;
    await until('a failure', async () => (await client.get(path)).body.state === 'failing');
    expect((await client.get(path)).body).toMatchObject({ last_status: 413, last_error: 'responded 413', enabled: true });
    expect(receiver.batches.slice(-2).map(({ events }) => events.length)).toEqual([2, 1]);
    await client.delete(path).expect(204);
  });
});
