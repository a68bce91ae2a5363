import { setTimeout as sleep } from 'node:timers/promises';
import { SettledTime } from '@fibre/changes';
import { withClient } from '@fibre/embedded-postgres';
import { Follower, type ServiceProcess, startServiceProcess, TEST_AUDIENCE, type TestService } from '@fibre/testing';
import supertest from 'supertest';
import { activation, EVENTS, newEntity, notification, READ_WRITE, startEvents, update } from '../events/events.js';

/** CHANGES_SECONDS makes the run longer. With CHANGES_FAULT=now, which introduces a fault, the test must fail. */
const SECONDS = Number(process.env.CHANGES_SECONDS ?? 10);
const HAS_FAULT = process.env.CHANGES_FAULT === 'now';
const WRITERS = 16;
/** As in production, but shorter: requests end after three seconds, and what they wrote is settled five seconds later. */
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
      begin perform pg_sleep(case when random() < 0.01 then random() * 12 when random() < 0.1 then random() * 0.2 else 0 end); return null; end $$`);
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

test('in the end, a follower has exactly the recorded events, despite concurrent writers, hanging commits and dying replicas', async () => {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- restored later
  const { now } = SettledTime.prototype;
  if (HAS_FAULT) SettledTime.prototype.now = () => Promise.resolve(new Date());
  const client = supertest.agent(service.url).set({ authorization });
  const followers = ['', '&event_type=notification'].map((filter) => new Follower(client, `${EVENTS}changes/?_page_size=50${filter}`));
  const end = Date.now() + SECONDS * 1_000;
  const entities = Array.from({ length: 40 }, newEntity);
  const writers = Array.from({ length: WRITERS }, async () => {
    while (Date.now() < end) {
      const [entity, comment] = [oneOf(entities), `${Math.floor(Math.random() * 5)}`];
      await put(
        oneOf([
          activation(entity, 1, { comment }),
          update(entity, 2 + Math.floor(Math.random() * 20), { comment }),
          notification(newEntity(), 1),
          notification(entity, 1 + Math.floor(Math.random() * 20), { comment }),
        ]),
      );
    }
  });
  const readers = followers.map(async (follower) => {
    while (Date.now() < end) if ((await follower.step()).length === 0) await sleep(Math.random() * 200);
  });
  while (Date.now() < end) {
    await sleep(SECONDS * 250);
    await replica.kill();
    replica = await startReplica(Number(new URL(replica.url).port));
  }
  await Promise.all([...writers, ...readers]);
  SettledTime.prototype.now = now;
  await Promise.all(followers.map((follower) => follower.catchUp()));

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
  expect(followers[0]!.seen.some(({ change }) => change === 'overwritten')).toBe(true);
  expect(copied(followers[0]!)).toEqual(expected());
  expect(copied(followers[1]!)).toEqual(expected('notification'));
  // The test can be set to run for minutes.
}, 900_000);
