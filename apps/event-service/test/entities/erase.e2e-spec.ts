import {
  activation,
  deactivation,
  ENTITIES,
  EVENTS,
  type Events,
  newEntity,
  notification,
  PARTNER,
  sql,
  startEvents,
  update,
} from '../events/events.js';
import { readEventEnv } from '../../src/event.env.js';
import { PersonalDataCleanUp } from '../../src/entities/personal-data-clean-up.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { blockedStatements, startServiceProcess, TEST_AUDIENCE, until } from '@fibre/testing';
import pg from 'pg';
import { billingOf, SETTLED_SOON, type Step } from '../billing/periods.js';

const SECRET = 'Maria Musterfrau';
const user = { usr_reference: SECRET, usr_attributes: { name: SECRET }, comment: SECRET };
const LINE = { option82: 'port of Maria', partner_reference: 'order of Maria' };
const YEAR = { from: '2026-01-01', to: '2026-12-31' };

let events: Events;
let tenants = 0;

beforeAll(async () => {
  events = await startEvents({ ...SETTLED_SOON, NAMESPACES_ENABLED: 'true', ERASE_AFTER_MONTHS: '6' });
});
afterAll(() => events.service.close());

/** A tenant with an entity that has every kind of event, each with user attributes, and what its requests are. */
async function newLife() {
  const tenant = `ano.erase${++tenants}`;
  const billing = await billingOf(events.service, tenant);
  const eraser = await events.service.as({ scope: 'events:erase', tenant });
  const entity = newEntity();
  const bodies = [
    activation(entity, 1, { sys_attributes: { partner_id: PARTNER, article_codes: ['A', 'Ä"\\'], ...LINE }, ...user }),
    update(entity, 5, { sys_attributes: { article_codes: ['B'], option82: LINE.option82 }, ...user }),
    notification(entity, 6, { sys_attributes: { option82: LINE.option82 }, ...user }),
    notification(entity, 7),
  ];
  await billing.record(...bodies);
  const erase = (query: object = {}, id = entity) => eraser.delete(`${ENTITIES}${id}/personal-data`).query(query);
  const list = async (): Promise<Record<string, unknown>[]> => (await billing.client.get(EVENTS).query({ entity_id: entity })).body;
  /** Everything that the database stores about the tenant. */
  const stored = async (): Promise<string> => {
    const rows = await Promise.all(
      ['event', 'timeline'].map((table) =>
        sql(events.service.databaseUrl, `select t::text as row from ${table} t where tenant = $1 order by 1`, [tenant]),
      ),
    );
    return JSON.stringify(rows);
  };
  return { tenant, billing, entity, bodies, erase, list, stored };
}

test('erasure leaves nothing of the user attributes, and the periods stay as they are', async () => {
  const { billing, entity, bodies, erase, list, stored } = await newLife();
  const other = newEntity();
  await billing.record(activation(other, 1, user));
  await billing.settle();
  const closing = (await billing.closed(YEAR)).closing_id;
  const periods = (await billing.get('', { closing })).text;
  const before = await list();
  const since = before
    .map(({ modified_at }) => modified_at as string)
    .sort()
    .at(-1)!;
  const state = (await billing.client.get(`${ENTITIES}${entity}`)).body as Record<string, unknown>;

  expect((await erase()).status).toBe(204);
  const erased = await list();
  expect(erased.map((one) => ['usr_reference', 'usr_attributes', 'comment'].some((name) => name in one))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  const lasting = ({
    usr_reference: _1,
    usr_attributes: _2,
    comment: _3,
    modified_at: _4,
    modified_by: _5,
    erased_at: _6,
    ...rest
  }: Record<string, unknown>) => rest;
  expect(erased.map(lasting)).toEqual(before.map(lasting));
  for (const [index, { modified_at, erased_at }] of erased.entries()) {
    expect((modified_at as string) > (before[index]!['modified_at'] as string)).toBe(true);
    expect(erased_at).toBe(modified_at);
  }
  expect((await stored()).split(SECRET)).toHaveLength(1 + 3);
  const exported = await billing.client.get(`${EVENTS}export`).query({ entity_id: entity });
  expect(exported.text).not.toContain(SECRET);
  expect((await billing.get('', { closing })).text).toBe(periods);
  const { modified_at, ...rest } = (await billing.client.get(`${ENTITIES}${entity}`)).body as Record<string, unknown>;
  const { modified_at: _two, ...expected } = state;
  expect([modified_at, rest]).toEqual([
    erased
      .map((event) => event['modified_at'] as string)
      .sort()
      .at(-1),
    expected,
  ]);

  await billing.settle();
  const feed = (await billing.client.get(`${EVENTS}changes/`).query({ since, entity_id: entity })).body as {
    change: string;
    event: { event_id: string };
  }[];
  expect(
    feed
      .filter(({ change }) => change === 'overwritten')
      .map(({ event }) => event.event_id)
      .sort(),
  ).toEqual(before.map(({ event_id }) => event_id).sort());

  expect((await erase()).status).toBe(204);
  expect(await list()).toEqual(erased);
  // A repeat is recognised and brings nothing back, whatever it contains.
  for (const body of [...bodies, { ...bodies[0], comment: 'new' }, { ...bodies[3], ...user }]) {
    expect((await billing.client.put(EVENTS).query({ dry_run: 'true' }).send(body)).body).toEqual({ outcome: 'repeated' });
    const repeat = await billing.put(body);
    expect([repeat.status, erased.filter(({ event_id }) => event_id === repeat.body.event_id)]).toEqual([200, [repeat.body]]);
  }
  expect(await list()).toEqual(erased);
  // New events can have user attributes again, and can be overwritten.
  const later = await billing.put(deactivation(entity, 9, user));
  expect([later.status, later.body]).toEqual([201, expect.objectContaining(user)]);
  expect(later.body).not.toHaveProperty('erased_at');
  expect((await billing.put(deactivation(entity, 9, { comment: 'other' }))).body).toMatchObject({ comment: 'other' });
  // Until they are erased, too; the others do not change.
  expect((await erase()).status).toBe(204);
  const [last, ...earlier] = (await list()).reverse();
  expect([last, earlier.reverse()]).toEqual([expect.objectContaining({ erased_at: last!['modified_at'] }), erased]);
});

test('line=true also erases option82 and partner_reference, everywhere, and repeats are still recognised', async () => {
  const { billing, entity, bodies, erase, list, stored } = await newLife();
  await billing.settle();
  const closing = (await billing.closed(YEAR)).closing_id;
  const before = (await billing.get('', { closing })).body as Step[];
  expect((await erase()).status).toBe(204);
  expect(await stored()).toContain('Maria');
  expect((await erase({ line: 'true' })).status).toBe(204);
  expect(await stored()).not.toContain('Maria');
  const steps = (await billing.get('', { closing })).body as Step[];
  expect(steps).toEqual(before.map(({ option82: _1, partner_reference: _2, ...step }) => step));
  expect((await billing.get('', { closing })).text).toContain('"article_codes":["A","Ä\\"\\\\"]');
  expect((await list()).map(({ sys_attributes }) => sys_attributes)).toEqual([
    { article_codes: ['A', 'Ä"\\'], partner_id: PARTNER },
    { article_codes: ['B'] },
    undefined,
    undefined,
  ]);
  const state = (await billing.client.get(`${ENTITIES}${entity}`)).text;
  expect(state).not.toContain('Maria');
  for (const body of bodies) expect((await billing.put(body)).status).toBe(200);
  expect(await stored()).not.toContain('Maria');
  // An update without these members keeps them erased.
  await billing.record(update(entity, 9));
  expect(await stored()).not.toContain('Maria');
  expect((await erase({ line: 'yes' })).status).toBe(422);
});

test('an entity with very many events is erased at once, even if that takes longer than any other statement may', async () => {
  const { tenant, billing, entity, bodies, list, stored } = await newLife();
  const more = 5_000;
  await sql(
    events.service.databaseUrl,
    `insert into event (event_id, shard_key, tenant, namespace_id, entity_id, sequence, event_type, event_at, event_timezone, event_date,
       sys_attributes, sys_hash, usr_reference, usr_attributes, comment, created_at, modified_at)
     select overlay(gen_random_uuid()::text placing left(e.event_id::text, 18) from 1 for 18)::uuid, e.shard_key, e.tenant, e.namespace_id,
       e.entity_id, 4 + i, 'update', e.event_at + i * interval '1 second', e.event_timezone, e.event_date, e.sys_attributes,
       e.sys_hash, e.usr_reference, e.usr_attributes, e.comment, e.created_at, e.modified_at
     from event e, generate_series(1, ${more}) i where e.tenant = $1 and e.sequence = 2`,
    [tenant],
  );
  await sql(events.service.databaseUrl, 'update timeline set version = version + $2 where tenant = $1', [tenant, more]);
  const { databaseUrl, issuer } = events.service;
  const impatient = await startServiceProcess('event-service', {
    DATABASE_URL: `${databaseUrl}?statement_timeout=100`,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
  });
  try {
    const headers = { authorization: `Bearer ${await issuer.token({ scope: 'events:erase', tenant })}` };
    let isErased = false;
    // Whoever overwrites an event meanwhile waits for the erasure, which never waits for them.
    const overwrites = (async () => {
      for (let count = 0; !isErased; count++)
        await billing.put({ ...bodies[1], event_at: '2026-01-05T13:23:20+01:00', comment: `${count}` });
    })();
    const { status } = await fetch(`${impatient.url}${ENTITIES}${entity}/personal-data?line=true`, { method: 'DELETE', headers });
    isErased = true;
    await overwrites;
    expect(status).toBe(204);
    const [{ deadlocks }] = (await sql(databaseUrl, 'select deadlocks::int from pg_stat_database where datname = current_database()')) as [
      { deadlocks: number },
    ];
    expect(deadlocks).toBe(0);
  } finally {
    await impatient.kill();
  }
  expect(await stored()).not.toContain('Maria');
  expect((await list()).length).toBe(500);
  await billing.record(update(entity, 9, user));
  expect((await stored()).split(SECRET)).toHaveLength(1 + 3);
});

test('a tenant erases one entity at a time, and others do not wait for it', async () => {
  const [life, other] = [await newLife(), await newLife()];
  const second = newEntity();
  await life.billing.record(activation(second, 1, user));
  const holder = new pg.Client(events.service.databaseUrl);
  await holder.connect();
  /** Erasures that have begun. */
  const erasing = (): Promise<number> => blockedStatements(events.service.databaseUrl, '%erase_entity(%');
  try {
    await holder.query('begin');
    await holder.query('select from timeline where tenant = any($1) for update', [[life.tenant, other.tenant]]);
    const requests = [life.erase(), life.erase({}, second), other.erase()].map((request) => request.then(({ status }) => status));
    await until('an erasure of each tenant waits for the lock', async () => (await erasing()) >= 2);
    await sleep(200);
    expect(await erasing()).toBe(2);
    await holder.query('commit');
    expect(await Promise.all(requests)).toEqual([204, 204, 204]);
  } finally {
    await holder.end();
  }
});

test('erasure needs its own scope, and sees only entities of the tenant and namespace', async () => {
  const { billing, entity, erase, list } = await newLife();
  const before = await list();
  expect((await billing.client.delete(`${ENTITIES}${entity}/personal-data`)).status).toBe(403);
  const stranger = await events.service.as({ scope: 'events:erase', tenant: 'ano.stranger' });
  expect((await stranger.delete(`${ENTITIES}${entity}/personal-data`)).status).toBe(404);
  expect((await erase().set('namespace', 'test')).status).toBe(404);
  expect((await erase({}, newEntity())).status).toBe(404);
  expect(await list()).toEqual(before);
});

test('concurrent repeats and updates never bring erased data back', async () => {
  for (let round = 0; round < 10; round++) {
    const { billing, entity, bodies, erase, stored } = await newLife();
    const repeats = bodies.flatMap((body) => [body, { ...body, comment: `${SECRET} ${round}` }]);
    const updates = [10, 11, 12].map((day) => update(entity, day));
    const [erased, ...others] = await Promise.all([erase({ line: 'true' }), ...[...repeats, ...updates].map((body) => billing.put(body))]);
    expect([erased.status, others.filter(({ status }) => status >= 500)]).toEqual([204, []]);
    expect(await stored()).not.toContain('Maria');
  }
});

test('ERASE_AFTER_MONTHS erases the user attributes of entities that have been inactive that long, of no others, and of new events again', async () => {
  const cleanUp = events.service.app.get(PersonalDataCleanUp);
  // Half a year after the 9th of January, before noon.
  const now = Date.parse('2026-07-09T10:59:59Z');
  const [long, notLong, active, again] = [await newLife(), await newLife(), await newLife(), await newLife()];
  const spared = newEntity();
  await long.billing.record(activation(spared, 1, user), update(spared, 2, user), deactivation(long.entity, 8, user));
  await notLong.billing.record(deactivation(notLong.entity, 9, user));
  await again.billing.record(deactivation(again.entity, 8, user), activation(again.entity, 9, user));
  const announced = newEntity();
  await active.billing.record(notification(announced, 1, user));
  const inNamespace = await billingOf(events.service, long.tenant, { namespace: 'test' });
  await inNamespace.record(activation(long.entity, 1, user), deactivation(long.entity, 2, user));
  const before = await Promise.all([notLong, active, again].map(({ stored }) => stored()));

  await cleanUp.run(now);
  expect((await long.list()).some((event) => 'comment' in event || 'usr_reference' in event || 'usr_attributes' in event)).toBe(false);
  expect((await long.stored()).split(SECRET)).toHaveLength(1 + 3 * 2);
  // Like DELETE without `line`.
  expect(await long.stored()).toContain(LINE.option82);
  expect(await Promise.all([notLong, active, again].map(({ stored }) => stored()))).toEqual(before);

  // A second run changes nothing, until the entity has a new event.
  const erased = await long.stored();
  await cleanUp.run(now);
  expect(await long.stored()).toBe(erased);
  await long.billing.record(notification(long.entity, 20, user));
  expect((await long.stored()).split(SECRET)).toHaveLength(1 + 3 * 3);
  await cleanUp.run(now);
  expect((await long.stored()).split(SECRET)).toHaveLength(1 + 3 * 2);

  await cleanUp.run(now + 1_001);
  expect(await notLong.stored()).not.toContain(SECRET);
});

test('by default, no personal data is erased by itself', () => {
  expect(readEventEnv().ERASE_AFTER_MONTHS).toBe(0);
});

test('an entity that cannot be erased does not keep the others from being erased', async () => {
  const lives = [await newLife(), await newLife(), await newLife()];
  for (const { billing, entity } of lives) await billing.record(deactivation(entity, 8, user));
  const { databaseUrl } = events.service;
  await sql(databaseUrl, `alter table timeline add constraint kept check (not erased or entity_id <> '${lives[0]!.entity}')`);
  const cleanUp = events.service.app.get(PersonalDataCleanUp);
  const counts = (): Promise<number[]> => Promise.all(lives.map(async ({ stored }) => (await stored()).split(SECRET).length - 1));
  await cleanUp.run(Date.parse('2026-08-01T00:00:00Z'));
  expect(await counts()).toEqual([3 * 4, 0, 0]);
  await sql(databaseUrl, 'alter table timeline drop constraint kept');
  await cleanUp.run(Date.parse('2026-08-01T00:00:00Z'));
  expect(await counts()).toEqual([0, 0, 0]);
});

test('an entity that is activated again while it is being erased keeps its data', async () => {
  for (let round = 0; round < 20; round++) {
    const { billing, entity, stored } = await newLife();
    await billing.record(deactivation(entity, 8, user));
    const erasing = events.service.app.get(PersonalDataCleanUp).run(Date.parse('2026-08-01T00:00:00Z'));
    const [activated] = await Promise.all([billing.put(activation(entity, 10, user)), erasing]);
    expect(activated.status).toBe(201);
    const count = (await stored()).split(SECRET).length - 1;
    expect([3, 3 * 5]).toContain(count);
  }
});
