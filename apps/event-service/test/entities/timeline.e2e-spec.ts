import type { TestService } from '@fibre/testing';
import { withClient } from '@fibre/embedded-postgres';
import {
  activation,
  deactivation,
  type Events,
  newEntity,
  notification,
  startEvents,
  update,
  wrongHeads,
  wrongRecords,
  wrongStates,
} from '../events/events.js';

let service: TestService;
let put: Events['put'];
let record: Events['record'];

beforeAll(async () => {
  ({ service, put, record } = await startEvents());
});
afterAll(() => service.close());

describe('the order', () => {
  test('allows an activation, updates, a deactivation, and then an activation again', async () => {
    const entity = newEntity();
    await record(
      activation(entity, 1),
      update(entity, 2),
      update(entity, 3),
      deactivation(entity, 4),
      activation(entity, 5),
      deactivation(entity, 6),
    );
  });

  test('rejects an event that does not fit, and names its neighbours', async () => {
    const entity = newEntity();
    const first = await put(update(entity, 5));
    expect([first.status, first.body.code, first.body.conflicts_with]).toEqual([409, 'event-order', []]);
    const [start, end] = await record(activation(entity, 5), deactivation(entity, 9));
    const [before, after] = [
      { event_id: start, event_type: 'activation', event_at: '2026-01-05T11:00:00.000+00:00' },
      { event_id: end, event_type: 'deactivation', event_at: '2026-01-09T11:00:00.000+00:00' },
    ];
    const refused: [Record<string, unknown>, object[]][] = [
      [activation(entity, 7), [before, after]],
      [deactivation(entity, 7), [before, after]],
      [update(entity, 10), [after]],
      [deactivation(entity, 10), [after]],
      [activation(entity, 4), [before]],
      [update(entity, 4), [before]],
      [deactivation(entity, 4), [before]],
    ];
    for (const [body, neighbours] of refused) {
      const response = await put(body);
      expect([response.status, response.body.code, response.body.conflicts_with]).toEqual([409, 'event-order', neighbours]);
      expect(response.headers['content-type']).toBe('application/problem+json');
    }
    expect((await put(activation(entity, 10, {}))).status).toBe(201);
  });

  test('allows a valid insertion into the past', async () => {
    const entity = newEntity();
    await record(activation(entity, 1), deactivation(entity, 20), update(entity, 10), update(entity, 5));
    expect((await put(deactivation(entity, 7))).status).toBe(409);
    // A complete subscription cannot be inserted before the first one, not even with its deactivation first, because the timeline must be
    // valid after each event.
    const early = newEntity();
    await record(activation(early, 20));
    expect((await put(deactivation(early, 10))).body.code).toBe('event-order');
  });

  test('ignores notifications', async () => {
    const entity = newEntity();
    await record(
      notification(entity, 1),
      activation(entity, 2),
      notification(entity, 2),
      notification(entity, 3),
      deactivation(entity, 4),
      notification(entity, 5),
    );
    await record(notification(entity, 1, { event_at: '2126-01-01T00:00:00+01:00' }));
  });

  test('allows at most one lifecycle event at an instant', async () => {
    const entity = newEntity();
    const [id] = await record(activation(entity, 1));
    const taken = [
      activation(entity, 1, { sys_attributes: { partner_id: '11111111-1111-4111-8111-111111111111', article_codes: ['other'] } }),
      update(entity, 1),
      deactivation(entity, 1, { event_at: '2026-01-01T13:00:00+02:00', event_timezone: 'Europe/Helsinki' }),
    ];
    for (const body of taken) {
      const response = await put(body);
      expect([response.status, response.body.code]).toEqual([409, 'event-time-taken']);
      expect(response.body.conflicts_with).toEqual([{ event_id: id, event_type: 'activation', event_at: '2026-01-01T11:00:00.000+00:00' }]);
    }
    expect((await put(update(entity, 1, { event_at: '2026-01-01T12:00:00.000001+01:00' }))).status).toBe(201);
  });
});

test('a lifecycle event must not be in the future', async () => {
  const HOUR_MS = 3_600_000;
  const entity = newEntity();
  const at = (offsetMs: number): Record<string, unknown> => ({
    event_at: new Date(Date.now() + offsetMs).toISOString(),
    event_timezone: 'UTC',
  });
  for (const body of [activation(entity, 1, at(HOUR_MS)), update(entity, 1, at(HOUR_MS)), deactivation(entity, 1, at(HOUR_MS))]) {
    const response = await put(body);
    expect([response.status, response.body.code, response.body.errors[0].pointer]).toEqual([422, 'event-in-future', '#/event_at']);
  }
  expect((await put(activation(entity, 1, at(0)))).status).toBe(201);
});

test('the queries that compare timelines with their events find every kind of error', async () => {
  await record(activation(newEntity(), 1));
  for (const [change, wrong] of [
    [`lifecycle_at = '2020-01-01T00:00Z'`, wrongHeads],
    [`state = 'announced'`, wrongStates],
    [`state_since = '2020-01-01T00:00Z'`, wrongStates],
    [`partner_id = null`, wrongStates],
    [`article_codes = array_append(article_codes, 'Z')`, wrongStates],
    [`option82 = 'other'`, wrongStates],
    [`partner_reference = 'other'`, wrongStates],
    [`created_at = '2020-01-01T00:00Z'`, wrongRecords],
    [`modified_at = '2020-01-01T00:00Z'`, wrongRecords],
    [`last_event_id = entity_id`, wrongRecords],
  ] as const)
    await withClient(service.databaseUrl, async (client) => {
      await client.query('begin');
      const { rows } = await client.query<{ entity_id: string }>(
        `update timeline set ${change} where entity_id = (select entity_id from timeline where state = 'active' order by entity_id limit 1) returning entity_id`,
      );
      expect([change, await wrong(service.databaseUrl, client)]).toEqual([change, rows]);
      await client.query('rollback');
    });
});
