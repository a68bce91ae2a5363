import { Temporal } from 'temporal-polyfill';
import { activation, deactivation, type Events, newEntity, newTenant, notification, startEvents, update } from '../events/events.js';

const TREND = '/api/v2/sys/overview/trend/';

interface Month {
  readonly month: string;
  readonly activations: number;
  readonly deactivations: number;
  readonly active: number;
}
interface Recorded {
  readonly entity: string;
  readonly type: 'activation' | 'update' | 'deactivation' | 'notification';
  readonly at: Temporal.Instant;
}

let events: Events;

beforeAll(async () => void (events = await startEvents({ NAMESPACES_ENABLED: 'true' })));
afterAll(() => events.service.close());

const now = Temporal.Now.instant();

/** What the trend must be, month by month and event by event. */
function expected(recorded: readonly Recorded[], months: number, timezone: string): Month[] {
  const monthOf = ({ at }: Pick<Recorded, 'at'>): Temporal.PlainYearMonth =>
    at.toZonedDateTimeISO(timezone).toPlainDate().toPlainYearMonth();
  const last = monthOf({ at: now });
  return Array.from({ length: months }, (_, index) => last.subtract({ months: months - 1 - index })).map((month) => {
    const until = recorded.filter((event) => Temporal.PlainYearMonth.compare(monthOf(event), month) <= 0);
    const count = (type: string): number => until.filter((event) => event.type === type && monthOf(event).equals(month)).length;
    const states = new Map<string, string>();
    const lifecycle = until.filter(({ type }) => type !== 'notification');
    for (const { entity, type } of lifecycle.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at))) states.set(entity, type);
    const active = [...states.values()].filter((type) => type !== 'deactivation').length;
    return { month: month.toString(), activations: count('activation'), deactivations: count('deactivation'), active };
  });
}

test('the trend equals a count of the events one by one, in every time zone', async () => {
  const { client, put } = await newTenant(events.service);
  const recorded: Recorded[] = [];
  const make = { activation, deactivation, update, notification };
  const record = async (entity: string, type: Recorded['type'], at: Temporal.Instant): Promise<void> => {
    const event_at = at.toString({ timeZone: 'Europe/Vienna' });
    const answer = await put(make[type](entity, 1, { event_at }));
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    recorded.push({ entity, type, at });
    if (type === 'notification') expect((await put(notification(entity, 1, { event_at, comment: 'overwritten' }))).status).toBe(201);
  };
  const firsts = Array.from({ length: 15 }, (_, back) =>
    now
      .toZonedDateTimeISO('Europe/Vienna')
      .toPlainDate()
      .with({ day: 1 })
      .subtract({ months: back })
      .toZonedDateTime('Europe/Vienna')
      .toInstant(),
  );
  // Around the first moment of each month, among them those after the clocks change: a month in which an entity ends and begins again.
  for (const [index, first] of firsts.entries()) {
    const entity = newEntity();
    await record(entity, 'notification', first);
    await record(entity, 'activation', first.subtract({ microseconds: 1 }));
    if (index % 2 === 0) await record(entity, 'deactivation', first);
    if (index % 4 === 0) await record(entity, 'activation', first.add({ microseconds: 1 }));
    if (index % 3 === 0) await record(newEntity(), 'activation', first.subtract({ hours: 5 }));
    if (index % 4 === 0 && index > 0) await record(entity, 'update', first.add({ hours: 30 }));
    if (index % 8 === 0 && index > 0) await record(entity, 'deactivation', first.add({ hours: 24 * 40 }));
  }
  for (const timezone of ['Europe/Vienna', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Lord_Howe', 'UTC'])
    for (const months of [1, 12, 36]) {
      const { body } = await client.get(TREND).query({ months, timezone }).expect(200);
      expect([timezone, body]).toEqual([timezone, expected(recorded, months, timezone)]);
    }
  expect((await client.get('/api/v2/sys/overview/trend').expect(200)).body).toEqual(expected(recorded, 12, 'Europe/Vienna'));
  const elsewhere = expected([], 12, 'Europe/Vienna');
  expect((await client.get(TREND).set('namespace', 'test').expect(200)).body).toEqual(elsewhere);
  expect((await (await newTenant(events.service)).client.get(TREND).expect(200)).body).toEqual(elsewhere);
});

test('the trend has 1 to 36 months of a time zone', async () => {
  for (const query of [{ months: '0' }, { months: '37' }, { months: '1.5' }, { months: '' }, { timezone: 'Vienna' }, { year: '2026' }]) {
    const { status, body } = await events.client.get(TREND).query(query);
    expect([query, status, body.errors.length, body.errors[0].parameter]).toEqual([query, 422, 1, Object.keys(query)[0]]);
  }
});
