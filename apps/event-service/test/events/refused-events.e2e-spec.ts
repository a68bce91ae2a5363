import { startServiceProcess, TEST_AUDIENCE, until } from '@fibre/testing';
import { NIL as PRODUCTION } from 'uuid';
import { RefusedEventsCleanUp } from '../../src/refused-events/refused-events-clean-up.js';
import { RefusedEvents } from '../../src/refused-events/refused-events.js';
import { MOST_PER_TENANT } from '../../src/refused-events/refused-events.sql.js';
import {
  activation,
  deactivation,
  ENTITIES,
  EVENTS,
  type Events,
  newEntity,
  newTenant,
  requestsOf,
  sql,
  startEvents,
  update,
} from './events.js';

const REFUSED = `${EVENTS}refused/`;
const DAY_MS = 24 * 60 * 60 * 1_000;

let events: Events;

beforeAll(async () => void (events = await startEvents({ NAMESPACES_ENABLED: 'true', ISPS: 'registered' })));
afterAll(() => events.service.close());

type Client = Awaited<ReturnType<typeof newTenant>>['client'];
type Refused = Readonly<Record<'entity_id' | 'event_at' | 'tenant', string> & { problem: { code: string } }>;

/** The refused events of a client, once there are as many. */
const listed = (client: Client, count: number, query: object = {}, headers: Record<string, string> = {}): Promise<Refused[]> =>
  until(`${count} refused events`, async () => {
    const { body } = await client.get(REFUSED).set(headers).query(query).expect(200);
    return (body as Refused[]).length === count ? (body as Refused[]) : undefined;
  });

test('a refused event is listed as it was sent, without its user attributes, and with what the response said', async () => {
  const { client, put } = await newTenant(events.service);
  const entity = newEntity();
  const line = { option82: 'port 1', partner_reference: 'order 1' };
  const sent = update(entity, 2, {
    sys_attributes: { article_codes: ['B'], ...line },
    usr_reference: 'a',
    usr_attributes: { b: 1 },
    comment: 'c',
  });
  const { body, status } = await put(sent);
  expect(status).toBe(409);
  const { instance, request_id, ...problem } = body as Record<string, unknown>;
  expect([instance, request_id]).toEqual([EVENTS, expect.any(String)]);
  const [refused] = await listed(client, 1);
  expect(refused).toEqual({
    refused_id: expect.any(String),
    refused_at: expect.any(String),
    sent_by: 'client',
    entity_id: entity,
    event_type: 'update',
    event_at: '2026-01-02T11:00:00.000+00:00',
    event_timezone: 'Europe/Vienna',
    sys_attributes: { article_codes: ['B'], ...line },
    problem,
    tenant: expect.any(String),
  });
});

test('every kind of refusal is listed, oldest first, and by entity', async () => {
  const { client, put } = await newTenant(events.service);
  const isp = (await client.post('/api/v2/sys/isps/').send({ name: 'ISP' }).expect(201)).body as { partner_id: string };
  const attributes = { partner_id: isp.partner_id, article_codes: ['A'] };
  const [entity, other] = [newEntity(), newEntity()];
  await put(activation(entity, 5, { sys_attributes: attributes }));
  await put(deactivation(entity, 5));
  await put(deactivation(entity, 6, { event_at: '2026-01-06T12:00:00+03:00' }));
  await put(deactivation(entity, 6, { event_at: '2999-01-06T12:00:00+01:00' }));
  await put(activation(other, 1));
  await put(update(other, 1));
  const all = await listed(client, 5);
  expect(all.map(({ problem }) => problem.code)).toEqual([
    'event-time-taken',
    'invalid-request',
    'event-in-future',
    'invalid-request',
    'event-order',
  ]);
  expect(await listed(client, 2, { entity_id: other })).toEqual(all.slice(3));
  expect((await client.get('/api/v2/sys/overview/')).body.refused_events).toEqual({ count: 5 });
  expect(await listed(client, 5, { _order: 'desc' })).toEqual([...all].reverse());
  const page = await client.get(REFUSED).query({ _page_size: 2 }).expect(200);
  expect([page.body, page.headers['link']]).toEqual([all.slice(0, 2), expect.stringContaining('rel=next')]);
});

test('a refused event belongs to its tenant and namespace; dry runs and malformed requests are not listed', async () => {
  const [{ client, put }, other] = [await newTenant(events.service), await newTenant(events.service)];
  const entity = newEntity();
  await client.put(EVENTS).query({ dry_run: 'true' }).send(update(entity, 1)).expect(409);
  await put({ ...update(entity, 1), event_type: 'nonsense' });
  await client.put(EVENTS).set('namespace', 'test').send(update(entity, 1)).expect(409);
  await put(update(entity, 2));
  expect(await listed(client, 1)).toEqual([expect.objectContaining({ event_at: '2026-01-02T11:00:00.000+00:00' })]);
  expect(await listed(client, 1, {}, { namespace: 'test' })).toEqual([
    expect.objectContaining({ event_at: '2026-01-01T11:00:00.000+00:00' }),
  ]);
  expect(await listed(other.client, 0)).toEqual([]);
});

test('the newest 1,000 of a tenant are kept, and none for longer than seven days', async () => {
  const { client, put } = await newTenant(events.service);
  await put(update(newEntity(), 1));
  const [{ tenant }] = (await listed(client, 1)) as [Refused];
  const { databaseUrl } = events.service;
  await sql(
    databaseUrl,
    `insert into refused_event select tenant, lpad(to_hex(number), 32, '0')::uuid, refused_at, sent_by, namespace_id, entity_id, event_type, event_at, event_timezone,
       sys_attributes, problem from refused_event, generate_series(1, $2) number where tenant = $1`,
    [tenant, MOST_PER_TENANT + 10],
  );
  await put(update(newEntity(), 2));
  const count = async (): Promise<number> => (await sql(databaseUrl, 'select 1 from refused_event where tenant = $1', [tenant])).length;
  await until('the surplus is gone', async () => (await count()) === MOST_PER_TENANT);
  const { body } = await client.get(REFUSED).query({ _order: 'desc', _page_size: 2 });
  expect((body as Refused[]).map(({ event_at }) => event_at.slice(0, 10))).toEqual(['2026-01-02', '2026-01-01']);
  const cleanUp = events.service.app.get(RefusedEventsCleanUp);
  await cleanUp.run(Date.now() + 6.9 * DAY_MS);
  expect(await count()).toBe(MOST_PER_TENANT);
  await cleanUp.run(Date.now() + 7.1 * DAY_MS);
  expect(await count()).toBe(0);
});

test('an erasure leaves no refused event of the entity, and those of other namespaces and tenants stay', async () => {
  const { client, put } = await newTenant(events.service);
  const [entity, other] = [newEntity(), newEntity()];
  await put(update(entity, 1));
  await put(update(other, 1));
  const elsewhere = await newTenant(events.service);
  await elsewhere.put(update(entity, 1));
  await requestsOf(client, { namespace: 'test' }).put(update(entity, 1));
  const [{ tenant }] = (await listed(client, 2)) as [Refused];
  await listed(elsewhere.client, 1);
  await listed(client, 1, {}, { namespace: 'test' });
  const eraser = await events.service.as({ scope: 'events:erase', tenant });
  // The entity itself does not exist, because its only event was refused.
  await eraser.delete(`${ENTITIES}${entity}/personal-data`).expect(404);
  expect(await listed(client, 1)).toEqual([expect.objectContaining({ entity_id: other })]);
  for (const request of [elsewhere.client.get(REFUSED), client.get(REFUSED).set('namespace', 'test')])
    expect((await request).body).toEqual([expect.objectContaining({ entity_id: entity })]);
});

test('of more refused events than are kept, those that come last within half a second are stored', async () => {
  const { client, put } = await newTenant(events.service);
  await put(update(newEntity(), 1));
  const [{ tenant }] = (await listed(client, 1)) as [Refused];
  const waiting = events.service.app.get(RefusedEvents);
  const problem = JSON.stringify({ code: 'event-order' });
  const refused = { tenant, namespace_id: PRODUCTION, event_type: 'update', event_timezone: 'UTC', sys_attributes: null, sent_by: null };
  const times = Array.from({ length: MOST_PER_TENANT + 2 }, (_, second) => new Date(Date.UTC(2026, 0, 3, 0, 0, second)).toISOString());
  for (const event_at of times) void waiting.add({ ...refused, entity_id: newEntity(), event_at, problem });
  await listed(client, MOST_PER_TENANT, { _page_size: 2_000 });
  const { body } = await client.get(REFUSED).query({ _order: 'desc', _page_size: 2 });
  expect((body as Refused[]).map(({ event_at }) => Date.parse(event_at))).toEqual(times.slice(-2).reverse().map(Date.parse));
});

test('what a service refuses just before it stops is listed', async () => {
  const { client, put } = await newTenant(events.service);
  await put(update(newEntity(), 1));
  const [{ tenant }] = (await listed(client, 1)) as [Refused];
  const { issuer, databaseUrl } = events.service;
  const stopping = await startServiceProcess('event-service', {
    DATABASE_URL: databaseUrl,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    SHUTDOWN_DELAY_SECONDS: '0',
  });
  const headers = { authorization: `Bearer ${await issuer.token({ scope: 'events:write', tenant })}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${stopping.url}${EVENTS}`, { method: 'PUT', headers, body: JSON.stringify(update(newEntity(), 2)) });
  expect([status, await stopping.stop()]).toEqual([409, 0]);
  expect((await client.get(REFUSED).expect(200)).body).toHaveLength(2);
});
