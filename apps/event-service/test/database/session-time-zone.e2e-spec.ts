import { startTestService, type TestService } from '@fibre/testing';
import { DataSource } from 'typeorm';
import { eventService } from '../../src/event-service.js';
import { activation, deactivation, newEntity, READ_WRITE, requestsOf, update } from '../events/events.js';

const MINUTE_MS = 60_000;

let service: TestService;
afterAll(() => service.close());

/** We request UTC when we connect, but a pooler may be told to ignore that, and the role may have any time zone. */
test('times are the same whatever the time zone of the database sessions', async () => {
  service = await startTestService({
    ...eventService,
    module: (env, databaseUrl) => eventService.module(env, `${databaseUrl}&options=-c%20timezone%3DAmerica/New_York`),
  });
  await expect(service.app.get(DataSource).query('show timezone')).resolves.toEqual([{ TimeZone: 'America/New_York' }]);
  const { put, get } = requestsOf(await service.as(READ_WRITE));
  const entity = newEntity();
  // These times are in the hour that New York repeats, and at midnight in UTC.
  const first = activation(entity, 1, { event_at: '2025-11-02T05:30:00Z', event_timezone: 'UTC' });
  const second = update(entity, 1, { event_at: '2025-11-02T06:30:00.000001Z', event_timezone: 'UTC' });
  const third = deactivation(entity, 1, { event_at: '2026-01-01T00:00:00Z', event_timezone: 'UTC' });
  const recorded = [];
  for (const event of [first, second, third]) {
    const { status, body } = await put(event);
    expect([status, (await put(event)).status, (await get(`${body.event_id}/`)).body]).toEqual([201, 200, body]);
    expect(Math.abs(Date.now() - Date.parse(body.created_at as string))).toBeLessThan(30 * MINUTE_MS);
    recorded.push(body);
  }
  const times = ['2025-11-02T05:30:00.000+00:00', '2025-11-02T06:30:00.000001+00:00', '2026-01-01T00:00:00.000+00:00'];
  expect(recorded.map(({ event_at }) => event_at)).toEqual(times);
  expect((await get(`?entity_id=${entity}`)).body).toEqual(recorded);
  expect((await get('?period=2026-01-01')).body).toEqual([recorded[2]]);
  expect((await get(`latest?entity_id=${entity}&token=fresh`)).body).toEqual([recorded[2]]);
  expect((await get(`?token=completed`)).body).toEqual(recorded);
});
