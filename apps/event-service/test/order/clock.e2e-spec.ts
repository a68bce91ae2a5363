import { mock } from 'node:test';
import type { TestService } from '@fibre/testing';
import type { Response } from 'supertest';
import { activation, deactivation, newEntity, notification, READ_WRITE, requestsOf, sql, startEvents, update } from '../events/events.js';

let service: TestService;
let put: (body: Record<string, unknown>) => Promise<Response>;

beforeAll(async () => {
  ({ service, put } = await startEvents());
});
afterEach(() => mock.timers.reset());
afterAll(() => service.close());

const HOUR_MS = 3_600_000;

/** Sets the clock, which then stands still while other time sources keep running. */
const setClock = (now: number): void => mock.timers.enable({ apis: ['Date'], now });

/** The moment `ms` in UTC, plus some microseconds. */
const at = (ms: number, microseconds: number): Record<string, string> => ({
  event_at: new Date(ms).toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`),
  event_timezone: 'UTC',
});

test('a lifecycle event may happen now, but not a microsecond later', async () => {
  const now = Date.now();
  setClock(now);
  for (const microseconds of [1, 999]) {
    const refused = await put(activation(newEntity(), 1, at(now, microseconds)));
    expect([microseconds, refused.status, refused.body.code]).toEqual([microseconds, 422, 'event-in-future']);
  }
  expect((await put(activation(newEntity(), 1, at(now, 0)))).status).toBe(201);
  expect((await put(activation(newEntity(), 1, at(now - 1, 999)))).status).toBe(201);
  expect((await put(notification(newEntity(), 1, at(now, 1)))).status).toBe(201);
});

test('events are listed in the order of their creation even if the clock is set back', async () => {
  const requests = requestsOf(await service.as({ ...READ_WRITE, tenant: 'ano.back' }));
  const now = Date.now();
  const made: string[] = [];
  for (const back of [0, 1, 50, 1_500, 1_500]) {
    // The clock is set relative to the current time: if it differed further from the database's clock, writes would be rejected.
    mock.timers.reset();
    setClock(Math.max(now, Date.now()) - back);
    made.push(...(await requests.record(notification(newEntity(), 1))));
  }
  await expect(requests.ids()).resolves.toEqual(made);
});

test('events are also listed in that order if the clock was set back while no process ran', async () => {
  const [before, after] = ['ano.before', 'ano.after'];
  const requests = requestsOf(await service.as({ ...READ_WRITE, tenant: before }));
  await requests.record(notification(newEntity(), 1));
  // Adds rows like those of a process whose clock was an hour ahead, for a tenant that this process has not seen yet.
  const ahead = (Date.now() + HOUR_MS).toString(16).padStart(12, '0');
  const older = `${ahead.slice(0, 8)}-${ahead.slice(8)}-7fff-bfff-ffffffffffff`;
  for (const [table, changes] of Object.entries({ timeline: { tenant: after }, event: { tenant: after, event_id: older } })) {
    const copy = `insert into ${table} select (jsonb_populate_record(r, $2::jsonb)).* from ${table} r where r.tenant = $1`;
    await sql(service.databaseUrl, copy, [before, JSON.stringify(changes)]);
  }
  const other = requestsOf(await service.as({ ...READ_WRITE, tenant: after }));
  const made = [older];
  for (let count = 0; count < 5; count++) made.push(...(await other.record(notification(newEntity(), 1))));
  await expect(other.ids()).resolves.toEqual(made);
});

test("no event of a timeline has an earlier recording time than the previous event, whatever the replicas' clocks say", async () => {
  const entity = newEntity();
  const recordedAt = async (body: Record<string, unknown>, back: number): Promise<number> => {
    mock.timers.reset();
    setClock(Date.now() - back);
    const { status, body: event } = await put(body);
    expect(status).toBe(201);
    return Date.parse(event.created_at as string);
  };
  const first = await recordedAt(activation(entity, 1), 0);
  const second = await recordedAt(update(entity, 2), 1_500);
  expect(second).toBe(first);
  expect(await recordedAt(deactivation(entity, 3), 0)).toBeGreaterThanOrEqual(second);
});

test("only writes are rejected while the clock differs from the database's by more than two seconds", async () => {
  const entity = newEntity();
  for (const [difference, status] of [
    [-3_000, 503],
    [-1_000, 201],
    [3_000, 503],
    [30_000, 503],
    [0, 200],
  ] as const) {
    mock.timers.reset();
    setClock(Date.now() + difference);
    const response = await put(activation(entity, 1));
    expect([difference, response.status, response.body.code]).toEqual([difference, status, status === 503 ? 'unavailable' : undefined]);
    if (status === 503) expect([response.headers['retry-after'], response.body.detail]).toEqual(['2', expect.stringContaining('clock')]);
    mock.timers.reset();
    expect((await requestsOf(await service.as(READ_WRITE)).get()).status).toBe(200);
  }
});
