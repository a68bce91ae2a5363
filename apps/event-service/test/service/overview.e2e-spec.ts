import { activation, deactivation, type Events, newEntity, newTenant, notification, sql, startEvents } from '../events/events.js';

const OVERVIEW = '/api/v2/sys/overview';

let events: Events;

beforeAll(async () => void (events = await startEvents()));
afterAll(() => events.service.close());

test('the overview counts the entities by state and the events of the last day in the tenant and namespace', async () => {
  const { client, record } = await newTenant(events.service);
  const [active, over, announced] = [newEntity(), newEntity(), newEntity()];
  await record(activation(active, 1), activation(over, 1), deactivation(over, 2), notification(announced, 3));
  expect((await client.get(OVERVIEW).expect(200)).body).toEqual({
    entities: { active: { count: 1 }, inactive: { count: 1 }, announced: { count: 1 } },
    events_of_last_day: { count: 4 },
    refused_events: { count: 0 },
  });
  await sql(events.service.databaseUrl, `update event set created_at = created_at - interval '25 hours' where entity_id = $1`, [announced]);
  expect((await client.get(OVERVIEW).expect(200)).body.events_of_last_day).toEqual({ count: 3 });
  const elsewhere = await client.get(`${OVERVIEW}/`).set('namespace', 'test').expect(200);
  expect(elsewhere.body).toEqual({
    entities: { active: { count: 0 }, inactive: { count: 0 }, announced: { count: 0 } },
    events_of_last_day: { count: 0 },
    refused_events: { count: 0 },
  });
});
