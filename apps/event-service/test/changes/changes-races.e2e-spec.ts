import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@fibre/embedded-postgres';
import { catchUpWith, Follower, type ServiceProcess, startServiceProcess, TEST_AUDIENCE, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { Timestamp } from '@fibre/dto';
import supertest from 'supertest';
import { NIL } from 'uuid';
import { hashSysAttributes } from '../../src/event-attributes/sys-attributes.js';
import type { RequestedEvent } from '../../src/events/event.js';
import { appendEvent } from '../../src/events/event.sql.js';
import { shardKeyOf } from '../../src/timeline/event-id.js';
import { activation, EVENTS, newEntity, notification, READ_WRITE, startEvents, update } from '../events/events.js';

/** With CHANGES_FAULT=now, which introduces a fault, the test must fail. */
const SECONDS = volume(3, 10, 600);
const HAS_FAULT = process.env.CHANGES_FAULT === 'now';
const WRITERS = 16;
/** On a busy machine, the run lasts until there have been so many writes. */
const ENOUGH_WRITES = volume(150, 500);
/** Enough writes overlap with these pauses, and a processor remains for other tests. */
const MAX_PAUSE_MS = 200;
const KILL_EVERY_MS = 4_000;
/** Several times SETTLE_SECONDS. */
const MAX_STALL_MS = 4_000;
/** Requests end after three seconds; many commits take longer. */
const SETTINGS = { REQUEST_DEADLINE_SECONDS: '3', DATABASE_POOL_SIZE: '30' };

let service: TestService;
let replica: ServiceProcess;
let authorization: string;

beforeAll(async () => {
  ({ service } = await startEvents(SETTINGS));
  authorization = `Bearer ${await service.issuer.token({ ...READ_WRITE, claims: { exp: Math.floor(Date.now() / 1_000) + 7_200 } })}`;
  // Some commits hang longer than anything waits for them.
  await withClient(service.databaseUrl, async (client) => {
    // Citus needs this for a trigger; without Citus, PostgreSQL ignores it.
    await client.query('set citus.enable_unsafe_triggers to on');
    await client.query(`create function hang() returns trigger language plpgsql as $$
      begin perform pg_sleep(case when random() < 0.001 then random() * 12 when random() < 0.1 then random() * 0.2 else 0 end); return null; end $$`);
    await client.query(`create constraint trigger hang after insert or update on event
      deferrable initially deferred for each row execute function hang()`);
  });
  replica = await startReplica();
});
afterAll(async () => {
  await replica.kill();
  await service.close();
});

const startReplica = (port?: number): Promise<ServiceProcess> =>
  startServiceProcess(
    'event-service',
    { ...SETTINGS, DATABASE_URL: service.databaseUrl, OAUTH_ISSUER: service.issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE, LOG_LEVEL: 'fatal' },
    port,
  );

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;
const put = (body: object): Promise<Response | undefined> =>
  fetch(`${oneOf([service.url, replica.url])}${EVENTS}`, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => undefined);

/** Records a notification, as a service that stalls for a while after the beginning of its transaction. */
async function putSlowly(): Promise<void> {
  const entityId = newEntity();
  const key = { tenant: 'ano.test', namespaceId: NIL, entityId, shardKey: shardKeyOf(entityId) };
  const requested: RequestedEvent = {
    type: 'notification',
    at: Timestamp.parse('2026-01-01T12:00:00Z')!,
    timezone: 'UTC',
    sysAttributes: null,
    sysHash: hashSysAttributes(null),
    actor: null,
    user: { usr_reference: null, usr_attributes: null, comment: null },
  };
  await withClient(service.databaseUrl, async (client) => {
    const { text, values } = appendEvent(key, { version: 0, isLast: false }, requested);
    await client.query('begin');
    await client.query('select 1');
    await sleep(Math.random() * MAX_STALL_MS);
    await client.query(text, values);
    await client.query('commit');
  });
}

test('in the end, a follower has exactly the recorded events, despite concurrent writers, hanging commits and dying replicas', async () => {
  // The fault: a time that is older than the id of its transaction.
  if (HAS_FAULT)
    await withClient(service.databaseUrl, (client) =>
      client.query(
        `create or replace function write_time() returns timestamptz language plpgsql as $$ begin return date_trunc('milliseconds', now()); end $$`,
      ),
    );
  const client = supertest.agent(service.url).set({ authorization });
  const followers = ['', '&event_type=notification'].map((filter) => new Follower(client, `${EVENTS}changes/?_page_size=50${filter}`));
  const end = Date.now() + SECONDS * 1_000;
  let writes = 0;
  const hasSeenOverwriting = () => followers[0]!.seen.some(({ change }) => change === 'overwritten');
  const isOver = () => writes >= ENOUGH_WRITES && Date.now() > end && hasSeenOverwriting();
  const entities = Array.from({ length: 40 }, newEntity);
  const writers = Array.from({ length: WRITERS }, async () => {
    for (; !isOver(); await sleep(Math.random() * MAX_PAUSE_MS)) {
      const [entity, comment] = [oneOf(entities), `${Math.floor(Math.random() * 5)}`];
      await put(
        oneOf([
          activation(entity, 1, { comment }),
          update(entity, 2 + Math.floor(Math.random() * 20), { comment }),
          notification(newEntity(), 1),
          notification(entity, 1 + Math.floor(Math.random() * 20), { comment }),
        ]),
      );
      writes++;
    }
  });
  const stalling = Array.from({ length: 2 }, async () => {
    while (!isOver()) await putSlowly();
  });
  const readers = followers.map(async (follower) => {
    while (!isOver()) if ((await follower.step()).length === 0) await sleep(Math.random() * 200);
  });
  while (!isOver()) {
    await sleep(KILL_EVERY_MS);
    await replica.kill();
    replica = await startReplica(Number(new URL(replica.url).port));
  }
  await Promise.all([...writers, ...stalling, ...readers]);
  await catchUpWith(service.databaseUrl, followers);

  const stored = await withClient(service.databaseUrl, async (connection) => {
    const { rows } = await connection.query<{ event_id: string; event_type: string; modified_at: Date }>(
      'select event_id, event_type, modified_at from event order by event_id',
    );
    return rows;
  });
  const expected = (type?: string) =>
    stored.flatMap(({ event_id, event_type, modified_at }) =>
      type === undefined || event_type === type ? [[event_id, modified_at.getTime()]] : [],
    );
  const copied = ({ copy }: Follower) =>
    [...copy.values()].map((event) => [event['event_id'], Date.parse(event['modified_at']!)]).sort(([a], [b]) => (a! < b! ? -1 : 1));
  expect(stored.length).toBeGreaterThan(50);
  expect(copied(followers[0]!)).toEqual(expected());
  expect(copied(followers[1]!)).toEqual(expected('notification'));
  // The test can be set to run for minutes.
}, 900_000);
