import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { Timestamp } from '@fibre/dto';
import { dayStarts } from '../../src/timeline/period-window.js';
import { activation, deactivation, newEntity, offenders, PARTNER, startEvents, update } from '../events/events.js';
import { nextOf } from '../service/pages.js';
import { billingOf, SETTLED_SOON, type Step, type Total } from './periods.js';

const OTHER_PARTNER = '22222222-2222-4222-8222-222222222222';
/** Among them zones with half-hour changes, with days that begin at 1:00, with two midnights, and one that skipped a day. */
const ZONES = ['Europe/Vienna', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'America/Havana', 'Pacific/Apia'];
const DAY = 86_400_000_000n;

let service: Awaited<ReturnType<typeof startEvents>>['service'];
let tenants = 0;
const newBilling = () => billingOf(service, `ano.totals${++tenants}`);

beforeAll(async () => {
  ({ service } = await startEvents(SETTLED_SOON));
});
afterAll(() => service.close());

test('totals count entities and days by ISP and article, as pages and as files', async () => {
  const billing = await newBilling();
  const [one, two, three] = [newEntity(), newEntity(), newEntity()];
  const at = (day: number, time = '00:00:00') => ({ event_at: `2026-01-${String(day).padStart(2, '0')}T${time}+01:00` });
  await billing.record(
    activation(one, 1, { ...at(1), sys_attributes: { partner_id: PARTNER, article_codes: ['B', 'a'] } }),
    update(one, 11, { ...at(11, '12:00:00'), sys_attributes: { article_codes: ['B'] } }),
    activation(two, 1, { ...at(30), sys_attributes: { partner_id: PARTNER, article_codes: ['B'] } }),
    activation(three, 1, { ...at(2), sys_attributes: { partner_id: OTHER_PARTNER, article_codes: ['é, "x"'] } }),
    deactivation(three, 3, at(2, '08:00:00')),
    activation(three, 4, { ...at(4), sys_attributes: { partner_id: OTHER_PARTNER, article_codes: ['é, "x"'] } }),
    deactivation(three, 5, at(4, '00:07:12')),
  );
  await billing.settle();
  const january = { from: '2026-01-01', to: '2026-02-01' };
  const totals = [
    { partner_id: PARTNER, article_code: 'B', entities: 2, days: 33, started: 2, added: 0, removed: 0, ended: 0 },
    { partner_id: PARTNER, article_code: 'a', entities: 1, days: 10.5, started: 1, added: 0, removed: 1, ended: 0 },
    // 8 hours and 432 seconds: 0.33... and 0.005 days, rounded once.
    { partner_id: OTHER_PARTNER, article_code: 'é, "x"', entities: 1, days: 0.34, started: 2, added: 0, removed: 0, ended: 2 },
  ];
  expect(await billing.totals(january)).toEqual(totals);
  expect((await billing.get('totals', january)).text).toContain('"days":10.50');
  expect(await billing.totals({ ...january, partner_id: OTHER_PARTNER })).toEqual(totals.slice(2));
  expect(await billing.totals({ ...january, article_code: 'a' })).toEqual([totals[1]]);
  expect(await billing.totals({ ...january, entity_id: two })).toEqual([{ ...totals[0], entities: 1, days: 2, started: 1 }]);
  expect(await billing.totals({ from: '2025-01-01', to: '2025-02-01' })).toEqual([]);

  const walked: Total[] = [];
  for (let page = await billing.get('totals', { ...january, _page_size: 1 }); ;) {
    expect([page.status, page.headers['x-page-count']]).toEqual([200, '3']);
    walked.push(...(page.body as Total[]));
    const next = nextOf(page);
    if (next === undefined) break;
    page = await billing.client.get(next.replace(service.url, ''));
  }
  expect(walked).toEqual(totals);
  const csv = await billing.file(january, 'totals/export');
  expect([csv.status, csv.headers['content-disposition'], csv.headers['x-recorded-until']]).toEqual([
    200,
    'attachment; filename="totals.csv"',
    expect.any(String),
  ]);
  expect(csv.body).toBe(
    [
      'partner_id,article_code,entities,days,started,added,removed,ended',
      `${PARTNER},B,2,33.00,2,0,0,0`,
      `${PARTNER},a,1,10.50,1,0,1,0`,
      `${OTHER_PARTNER},"é, ""x""",1,0.34,2,0,0,2`,
      '',
    ].join('\r\n'),
  );
  const lines = (await billing.file({ ...january, format: 'ndjson' }, 'totals/export')).body as string;
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Total),
  ).toEqual(totals);
  expect(offenders(await billing.get('totals', { ...january, format: 'csv' }))).toEqual(['format']);
});

test('what an event at the start of the window begins or ends belongs to the window, and what one at its end does, does not', async () => {
  const billing = await newBilling();
  const [before, from, to] = ['2026-01-10T00:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];
  const at = (event_at: string, article_codes?: string[], partner_id?: string) => ({
    event_at,
    event_timezone: 'UTC',
    ...(article_codes && { sys_attributes: { article_codes, ...(partner_id && { partner_id }) } }),
  });
  const [changed, ended, begun, moved, late] = Array.from({ length: 5 }, newEntity) as [string, string, string, string, string];
  await billing.record(
    activation(changed, 1, at(before, ['OLD', 'KEPT', 'TWICE'], PARTNER)),
    // An article that is named twice counts twice.
    update(changed, 1, at(from, ['KEPT', 'NEW', 'TWICE', 'TWICE'])),
    activation(ended, 1, at(before, ['OLD'], PARTNER)),
    deactivation(ended, 1, at(from)),
    activation(begun, 1, at(from, ['NEW'], PARTNER)),
    // Another ISP takes the line over within the window.
    activation(moved, 1, at(before, ['KEPT'], PARTNER)),
    deactivation(moved, 1, at('2026-02-10T00:00:00Z')),
    activation(moved, 1, at('2026-02-10T00:00:00.000001Z', ['KEPT'], OTHER_PARTNER)),
    activation(late, 1, at(before, ['KEPT'], PARTNER)),
    deactivation(late, 1, at(to)),
  );
  await billing.settle();
  const february = { from, to, timezone: 'UTC' };
  const none = { started: 0, added: 0, removed: 0, ended: 0 };
  expect(await billing.totals(february)).toEqual([
    { partner_id: PARTNER, article_code: 'KEPT', entities: 3, days: 65, ...none, ended: 1 },
    { partner_id: PARTNER, article_code: 'NEW', entities: 2, days: 56, ...none, started: 1, added: 1 },
    // Nothing of it lasted into the window.
    { partner_id: PARTNER, article_code: 'OLD', entities: 0, days: 0, ...none, removed: 1, ended: 1 },
    { partner_id: PARTNER, article_code: 'TWICE', entities: 1, days: 56, ...none, added: 1 },
    { partner_id: OTHER_PARTNER, article_code: 'KEPT', entities: 1, days: 19, ...none, started: 1 },
  ]);
  expect(await billing.totals({ ...february, article_code: 'OLD' })).toMatchObject([{ entities: 0, removed: 1, ended: 1 }]);
  const march = await billing.totals({ from: to, to: '2026-04-01T00:00:00Z', timezone: 'UTC' });
  expect(march.filter((total) => total.ended > 0)).toMatchObject([{ partner_id: PARTNER, article_code: 'KEPT', ended: 1 }]);
});

test('parts of a day that no decimal number is equal to add up exactly', async () => {
  const billing = await newBilling();
  // 28.8 seconds are 0.000333... days, and 15 times that are 0.005.
  const lives = Array.from({ length: 15 }, () => newEntity()).map((entity) => [
    activation(entity, 1, { event_at: '2026-01-01T12:00:00.000+01:00' }),
    deactivation(entity, 1, { event_at: '2026-01-01T12:00:28.800+01:00' }),
  ]);
  await billing.record(...lives.flat());
  await billing.settle();
  expect((await billing.totals({ from: '2026-01-01', to: '2026-02-01' })).map(({ days }) => days)).toEqual([0.01]);
});

/** The days of steps according to Temporal, day by day, as a text with two decimals. */
function daysOf(steps: readonly { from: Temporal.Instant; to: Temporal.Instant }[], timezone: string): string {
  // A unit that 22 to 26 hours divide, in steps of half an hour.
  const unit = [...Array(60).keys()].slice(40, 60).reduce((multiple, n) => lcm(multiple, BigInt(n)), 1n) * 1_800_000_000n;
  let sum = 0n;
  for (const { from, to } of steps) {
    let day = from.toZonedDateTimeISO(timezone).startOfDay();
    while (Temporal.Instant.compare(day.toInstant(), to) < 0) {
      const next = day.toPlainDate().add({ days: 1 }).toZonedDateTime(timezone);
      const length = micros(next.toInstant()) - micros(day.toInstant());
      const begin = micros(from) > micros(day.toInstant()) ? micros(from) : micros(day.toInstant());
      const end = micros(to) < micros(next.toInstant()) ? micros(to) : micros(next.toInstant());
      if (length > 0n) sum += ((end - begin) * unit) / length;
      day = next;
    }
  }
  const hundredths = (sum * 200n + unit) / (2n * unit);
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
}
const micros = ({ epochNanoseconds }: Temporal.Instant): bigint => epochNanoseconds / 1_000n;
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
const lcm = (a: bigint, b: bigint): bigint => (a / gcd(a, b)) * b;

test('in every zone the days of a total are those that Temporal counts, and sums are not rounded before', async () => {
  const billing = await newBilling();
  // Steps of all lengths, around the changes of 2011, when Apia skipped a day, and of 2025.
  const years = [2011, 2025];
  const entities = Array.from({ length: volume(6, 24) }, newEntity);
  let seed = 42;
  const random = (max: number): number => (seed = (seed * 48_271) % 2_147_483_647) % max;
  for (const [index, entity] of entities.entries()) {
    const year = years[index % 2]!;
    let at = Date.UTC(year, 0, 1) + random(60 * 86_400) * 1_000;
    const events = [activation, ...Array.from({ length: 6 }, () => update), deactivation];
    for (const make of events) {
      at += (random(60 * 86_400) + 1) * 1_000;
      const sys_attributes = { ...(make === activation && { partner_id: PARTNER }), article_codes: ['A'] };
      const event_at = `${new Date(at).toISOString().slice(0, 19)}.${String(random(1_000_000)).padStart(6, '0')}Z`;
      await billing.record(make(entity, 1, { event_at, event_timezone: 'UTC', ...(make !== deactivation && { sys_attributes }) }));
    }
  }
  await billing.settle();
  let compared = 0;
  for (const timezone of ZONES)
    for (const year of years)
      for (const [from, to] of [
        [`${year}-01-01`, `${year + 1}-01-01`],
        [`${year}-03-01`, `${year}-05-01`],
        [`${year}-10-01`, `${year}-11-01`],
        [`${year}-12-29`, `${year}-12-31`],
        [`${year}-03-30T03:30:00.000001Z`, `${year}-11-02T07:15:30Z`],
      ] as const) {
        const query = { from, to, timezone };
        const { steps } = await billing.periods({ ...query, _page_size: 2_000 });
        const instants = steps.map((step: Step) => ({ from: Temporal.Instant.from(step.from), to: Temporal.Instant.from(step.to) }));
        const expected = steps.length === 0 ? '[]' : expect.stringContaining(`"days":${daysOf(instants, timezone)},`);
        expect([query, (await billing.get('totals', query)).text]).toEqual([query, expected]);
        compared += steps.length;
      }
  expect(compared).toBeGreaterThan(volume(400, 2_000));
}, 120_000);

test('the days of any window begin at their first moments and cover it', () => {
  const at = (ms: number): Timestamp => Timestamp.parse(new Date(ms).toISOString())!;
  const time = fc.integer({ min: Date.UTC(1890, 0, 1), max: Date.UTC(2099, 0, 1) });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 400 * 86_400_000 }), fc.constantFrom(...ZONES), (from, length, timezone) => {
      const starts = dayStarts({ from: at(from), to: at(from + length), timezone }).map(BigInt);
      expect(starts[0]).toBeLessThanOrEqual(BigInt(from) * 1_000n);
      expect(starts.at(-1)).toBeGreaterThan(BigInt(from + length) * 1_000n);
      expect(starts.at(-2)).toBeLessThanOrEqual(BigInt(from + length) * 1_000n);
      for (const [index, start] of starts.slice(1).entries()) expect(start - starts[index]!).toBeGreaterThan(DAY / 2n);
    }),
  );
});
