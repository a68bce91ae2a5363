import { createDataSource } from '@fibre/database';
import { type TestService, until } from '@fibre/testing';
import type { DataSource } from 'typeorm';
import { NamespaceCleanUp } from '../../src/namespaces/namespace-clean-up.js';
import {
  activation,
  deactivation,
  EVENTS,
  type Events,
  newEntity,
  notification,
  offenders,
  READ_WRITE,
  requestsOf,
  startEvents,
  update,
} from '../events/events.js';
import { ISPS, registryOf } from '../isps/isps.js';
import { type Replica, startReplica } from '../order/replicas.js';
import { clientOf } from '../order/traffic.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

let service: TestService;
let client: Events['client'];
let database: DataSource;
const inNamespace = (namespace: string) => requestsOf(client, { namespace });

beforeAll(async () => {
  ({ service, client } = await startEvents());
  database = await createDataSource({
    url: service.databaseUrl,
    poolSize: 2,
    applicationName: 'spec',
    entities: [],
    migrations: [],
  }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await service.close();
});

const count = async (table: string): Promise<number> =>
  Number((await database.query<{ count: string }[]>(`select count(*) from ${table}`))[0]!.count);
/** Makes these namespaces look as if they had not been used for this many days. */
const age = (names: string[], days: number) =>
  database.query(`update namespace set last_used_at = now() - $1::int * interval '1 day' where name = any($2)`, [days, names]);

test('timelines, ids and listings are separate in every namespace', async () => {
  const entity = newEntity();
  const spaces = [requestsOf(client), inNamespace('one'), inNamespace('One'), inNamespace('2.x_-')];
  const ids: string[] = [];
  for (const { put } of spaces) {
    const response = await put(activation(entity, 1));
    expect(response.status).toBe(201);
    ids.push(response.body.event_id as string);
  }
  expect((await spaces[1]!.put(deactivation(entity, 2))).status).toBe(201);
  expect((await spaces[0]!.put(update(entity, 3))).status).toBe(201);
  expect((await spaces[1]!.put(update(entity, 3))).status).toBe(409);
  for (const [index, { get }] of spaces.entries()) {
    expect((await Promise.all(ids.map((id) => get(id)))).map(({ status }) => status)).toEqual(
      ids.map((_, other) => (other === index ? 200 : 404)),
    );
    expect((await get(`?entity_id=${entity}`)).body).toHaveLength(index < 2 ? 2 : 1);
    expect((await get(`latest?entity_id=${entity}`)).body).toHaveLength(1);
  }
  const theirs = requestsOf(await service.as({ ...READ_WRITE, tenant: 'ano.other' }), { namespace: 'one' });
  expect((await theirs.get()).text).toBe('[]');
});

test('a namespace that was never written to is empty, and reading does not create it', async () => {
  const before = await count('namespace');
  const { get } = inNamespace('never-written');
  expect([(await get()).text, (await get('latest')).text, (await get(newEntity())).status]).toEqual(['[]', '[]', 404]);
  expect(await count('namespace')).toBe(before);
  expect((await inNamespace('never-written').put(notification(newEntity(), 1))).status).toBe(201);
  expect((await get()).body).toHaveLength(1);
});

test('invalid names are rejected on every route', async () => {
  const bad = ['', '-a', '.a', 'a b', 'a/b', 'ä', 'a,b', 'a'.repeat(65)];
  for (const namespace of bad.map((name) => Buffer.from(name).toString('latin1'))) {
    const { put, get } = inNamespace(namespace);
    for (const response of [await put(notification(newEntity(), 1)), await get(), await get('latest'), await get(newEntity())]) {
      expect([namespace, response.status, ...offenders(response)]).toEqual([namespace, 422, 'namespace']);
    }
  }
  expect((await inNamespace('a'.repeat(64)).get()).status).toBe(200);
});

test('the clean-up deletes only unused namespaces, completely, in batches', async () => {
  const [old, used] = [inNamespace('old'), inNamespace('used')];
  const entity = newEntity();
  for (const { put } of [old, used]) expect((await put(activation(entity, 1))).status).toBe(201);
  const [{ namespace_id }] = await database.query<[{ namespace_id: string }]>(`select namespace_id from namespace where name = 'old'`);
  await database.query(
    `insert into event select (copy).* from (
      select jsonb_populate_record(e, jsonb_build_object('event_id', gen_random_uuid(), 'sequence', n, 'event_type', 'notification',
        'event_at', e.event_at + n * interval '1 second')) as copy
      from event e, generate_series(2, 2500) n where e.namespace_id = $1) copies`,
    [namespace_id],
  );
  const [events, namespaces] = [await count('event'), await count('namespace')];

  const cleanUp = service.app.get(NamespaceCleanUp);
  expect(await cleanUp.run()).toBe(0);
  await age(['old'], 29);
  expect(await cleanUp.run()).toBe(0);
  // A use within ten minutes of the recorded one is not recorded.
  await database.query(`update namespace set last_used_at = now() - interval '30 days 9 minutes' where name = 'old'`);
  expect(await cleanUp.run()).toBe(0);
  await age(['old'], 31);
  expect(await cleanUp.run()).toBe(3);
  expect([await count('event'), await count('namespace')]).toEqual([events - 2_500, namespaces - 1]);
  expect((await used.get()).body).toHaveLength(1);
  expect((await database.query<{ n: number }[]>('select count(*)::int as n from timeline t where t.entity_id = $1', [entity]))[0]!.n).toBe(
    1,
  );

  // Later requests to another process find an empty namespace with this name.
  const replica = await startReplica(service);
  const again = clientOf(replica.url, await service.issuer.token(READ_WRITE), { namespace: 'old' });
  expect((await again.put(update(entity, 2))).status).toBe(409);
  expect((await again.put(activation(entity, 2))).status).toBe(201);
  await replica.close();
});

test('the closings and refused events of an unused namespace are deleted too, but no others', async () => {
  const [old, used] = [{ namespace: 'old-month' }, { namespace: 'used-month' }];
  const entity = newEntity();
  for (const headers of [old, used]) {
    await client.post('/api/v2/sys/closings/').set(headers).send({ from: '2026-01-01', to: '2026-02-01' }).expect(201);
    expect((await requestsOf(client, headers).put(update(entity, 1))).status).toBe(409);
    await until('the refused event', async () => {
      const { body } = await client.get(`${EVENTS}refused/`).set(headers).expect(200);
      return (body as unknown[]).length === 1;
    });
  }
  const [closings, refused] = [await count('closing'), await count('refused_event')];
  await age(['old-month'], 31);
  expect(await service.app.get(NamespaceCleanUp).run()).toBe(1);
  expect([await count('closing'), await count('refused_event')]).toEqual([closings - 1, refused - 1]);
  expect((await client.get('/api/v2/sys/closings/').set(used).expect(200)).body).toHaveLength(1);
});

test('the ISPs of an unused namespace are deleted too, but no others', async () => {
  const [old, used] = [{ namespace: 'old-isps' }, { namespace: 'used-isps' }].map((headers) => registryOf(client, headers));
  const { partner_id } = (await old!.post()).body;
  expect((await used!.put(partner_id)).status).toBe(201);
  await database.query(
    `insert into isp select (copy).* from (
      select jsonb_populate_record(i, jsonb_build_object('partner_id', gen_random_uuid(), 'name', n)) as copy
      from isp i, generate_series(2, 1200) n where i.namespace_id = (select namespace_id from namespace where name = 'old-isps')) copies`,
  );
  const isps = await count('isp');
  await age(['old-isps'], 31);
  expect(await service.app.get(NamespaceCleanUp).run()).toBe(2);
  expect(await count('isp')).toBe(isps - 1_200);
  expect((await used!.get(partner_id)).status).toBe(200);

  const replica = await startReplica(service);
  const after = await fetch(`${replica.url}${ISPS}`, {
    headers: { namespace: 'old-isps', authorization: `Bearer ${await service.issuer.token(READ_WRITE)}` },
  });
  expect(await after.json()).toEqual([]);
  await replica.close();
});

test('a request keeps its namespace alive, even if it only reads', async () => {
  await inNamespace('read').put(notification(newEntity(), 1));
  await age(['read'], 31);
  const replica = await startReplica(service);
  const { get } = clientOf(replica.url, await service.issuer.token(READ_WRITE), { namespace: 'read' });
  expect((await get('latest')).status).toBe(200);
  await service.app.get(NamespaceCleanUp).run();
  expect((await get('latest')).body).toHaveLength(1);
  await replica.close();
});

test('a request that races with the clean-up, on several replicas, loses nothing', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `race-${index}`);
  for (const name of names) await inNamespace(name).put(activation('00000000-0000-7000-8000-000000000001', 1));
  await age(names, 31);
  const replicas: Replica[] = await Promise.all([startReplica(service), startReplica(service)]);
  const token = await service.issuer.token(READ_WRITE);
  const cleaning = Promise.all([1, 2, 3].map(() => service.app.get(NamespaceCleanUp).run()));
  const written = await Promise.all(
    names.map(async (name, index) => {
      const { put } = clientOf(replicas[index % 2]!.url, token, { namespace: name });
      await new Promise((resolve) => setTimeout(resolve, index * 5));
      const response = await put(notification(newEntity(), 1));
      expect([name, response.status]).toEqual([name, 201]);
      return { name, id: (response.body as { event_id: string }).event_id };
    }),
  );
  await cleaning;
  await service.app.get(NamespaceCleanUp).run();
  for (const [index, { name, id }] of written.entries()) {
    const { get } = clientOf(replicas[(index + 1) % 2]!.url, token, { namespace: name });
    expect([name, (await get(id)).status]).toEqual([name, 200]);
  }
  expect(
    (await database.query<{ n: number }[]>(`select count(*)::int as n from namespace where name is null or name = any($1)`, [names]))[0]!.n,
  ).toBe(60);
  await Promise.all(replicas.map((replica) => replica.close()));
});

test('the use of a namespace is recorded from time to time, not for every request', async () => {
  const { put } = inNamespace('quiet');
  expect((await put(notification(newEntity(), 1))).body).toMatchObject({ event_type: 'notification' });
  const lastUsed = async (): Promise<number> =>
    (await database.query<{ at: Date }[]>(`select last_used_at as at from namespace where name = 'quiet'`))[0]!.at.getTime();
  const before = await lastUsed();
  for (let day = 2; day < 5; day++) await put(notification(newEntity(), day));
  expect(await lastUsed()).toBe(before);
  expect(Date.now() - before).toBeLessThan(DAY_MS);
});

// This test comes last, because the token strategy is global to the process and belongs to the newest service in it.
test('if namespaces are disabled, the header is rejected on every route and nothing is written', async () => {
  const off = await startEvents({ NAMESPACES_ENABLED: 'false' });
  const named = requestsOf(off.client, { namespace: 'dev' });
  for (const response of [
    await named.put(notification(newEntity(), 1)),
    await named.get(),
    await named.get('latest'),
    await named.get(newEntity()),
  ]) {
    expect([response.status, ...offenders(response)]).toEqual([422, 'namespace']);
  }
  expect((await off.get()).text).toBe('[]');
  expect((await off.client.get(EVENTS)).status).toBe(200);
  expect((await off.put(notification(newEntity(), 1))).status).toBe(201);
  await off.service.close();
});
