import { mock } from 'node:test';
import type { TestService } from '@fibre/testing';
import { shardKeyOf } from '../../src/timeline/event-id.js';
import { activation, deactivation, newEntity, notification, READ_WRITE, requestsOf, sql, startEvents, update } from '../events/events.js';

const HOUR_MS = 3_600_000;

let service: TestService;

beforeAll(async () => {
  ({ service } = await startEvents());
});
afterEach(() => mock.timers.reset());
afterAll(() => service.close());

/** Sets the clock of the service, which then stands still while the database's keeps running. */
const setClock = (now: number): void => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now });
};

/** The time on the database's clock, in milliseconds. */
async function databaseTime(): Promise<number> {
  const [row] = await sql<{ ms: number }>(service.databaseUrl, 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms');
  return row!.ms;
}

test.each([-HOUR_MS, HOUR_MS])("every time is the database's, if the clock of the service is wrong by %d ms", async (difference) => {
  const entity = newEntity();
  const requests = requestsOf(await service.as({ ...READ_WRITE, tenant: `ano.by${difference}`, claims: { exp: 4_102_444_800 } }));
  const begin = Math.floor(await databaseTime());
  const ids: string[] = [];
  const bodies = [activation(entity, 1), notification(newEntity(), 1), deactivation(entity, 3), update(entity, 2)];
  for (const body of bodies) {
    setClock(Date.now() + difference);
    const { status, body: event } = await requests.put(body);
    expect(status).toBe(201);
    ids.push(event.event_id as string);
    const created = Date.parse(event.created_at as string);
    expect(created).toBeGreaterThanOrEqual(begin);
    expect(created).toBeLessThanOrEqual(await databaseTime());
    const [, ms, shardKey] = /^(.{8}-.{4})-7(.{3})-[89ab]/.exec(event.event_id as string)!;
    expect([parseInt(ms!.replace('-', ''), 16), parseInt(shardKey!, 16)]).toEqual([created, shardKeyOf(body['entity_id'] as string)]);
  }
  const overwritten = await requests.put({ ...bodies[0], comment: 'changed' });
  expect(Date.parse(overwritten.body.modified_at as string)).toBeGreaterThanOrEqual(begin);
  expect(Date.parse(overwritten.body.modified_at as string)).toBeLessThanOrEqual(await databaseTime());
  expect(await requests.ids()).toEqual(ids);
});

test('whether a lifecycle event is in the future also depends on the clock of the database', async () => {
  const requests = requestsOf(await service.as({ ...READ_WRITE, tenant: 'ano.future', claims: { exp: 4_102_444_800 } }));
  const at = (ms: number) => ({ event_at: new Date(ms).toISOString(), event_timezone: 'UTC' });
  const now = await databaseTime();
  setClock(now + 2 * HOUR_MS);
  const refused = await requests.put(activation(newEntity(), 1, at(now + HOUR_MS)));
  expect([refused.status, refused.body.code]).toEqual([422, 'event-in-future']);
  expect((await requests.put(notification(newEntity(), 1, at(now + HOUR_MS)))).status).toBe(201);
  setClock(now - 2 * HOUR_MS);
  expect((await requests.put(activation(newEntity(), 1, at(now - HOUR_MS)))).status).toBe(201);
});

test('no event of a timeline has an earlier recording time than the previous event, even if the clock of the database is set back', async () => {
  const requests = requestsOf(await service.as({ ...READ_WRITE, tenant: 'ano.back' }));
  const entity = newEntity();
  const { body: first } = await requests.put(activation(entity, 1));
  // As if it had been recorded before the clock was set back by an hour.
  const ahead = new Date(Date.parse(first.created_at as string) + HOUR_MS);
  for (const table of ['event', 'timeline'])
    await sql(service.databaseUrl, `update ${table} set created_at = $2, modified_at = $2 where entity_id = $1`, [entity, ahead]);
  const { body } = await requests.put(deactivation(entity, 3));
  expect(Date.parse(body.created_at as string)).toBe(ahead.getTime());
});
