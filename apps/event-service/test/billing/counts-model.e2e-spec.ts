import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { activation, deactivation, newEntity, startEvents, update } from '../events/events.js';
import { type BilledEvent, countsOf } from './counts.js';
import { billingOf, expectBalance, SETTLED_SOON, type Step, type Total, totalsOf } from './periods.js';

/** To replay a failing run, set MODEL_SEED to the seed that it prints. */
const SEED = Number(process.env['MODEL_SEED'] ?? Date.now() % 2 ** 31);

const ENTITIES = volume(16, 60, 200);
const WINDOWS = volume(40, 1_000, 5_000);
const PARTNERS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const ARTICLES = ['A', 'B', 'C'];
const HOUR = 3_600_000;

const text = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
/** Instants on few hours of spring, so that windows often begin and end exactly when something happens, or a millisecond beside it. */
const hour = fc.integer({ min: 0, max: 400 }).map((n) => Date.UTC(2026, 2, 1) + n * 5 * HOUR);
const edge = fc.tuple(hour, fc.constantFrom(0, 0, 1, -1)).map(([ms, beside]) => text(ms + beside));
const articles = fc.array(fc.constantFrom(...ARTICLES), { minLength: 1, maxLength: 4 });

/** A life: what happens at each of these instants, as far as the state allows it. */
const life = fc.record({
  times: fc.uniqueArray(hour, { minLength: 1, maxLength: 12, size: 'max' }),
  events: fc.array(fc.record({ partner_id: fc.constantFrom(...PARTNERS), article_codes: articles, ends: fc.boolean() }), {
    minLength: 12,
    maxLength: 12,
  }),
});

function eventsOf({ times, events }: typeof life extends fc.Arbitrary<infer T> ? T : never): BilledEvent[] {
  const entity_id = newEntity();
  let runs = false;
  return [...times]
    .sort((a, b) => a - b)
    .map((ms, index) => {
      const { partner_id, article_codes, ends } = events[index]!;
      const event = { entity_id, at: text(ms) };
      const wasRunning = runs;
      runs = !(runs && ends);
      if (!runs) return { ...event, event_type: 'deactivation' };
      return wasRunning
        ? { ...event, event_type: 'update', article_codes }
        : { ...event, event_type: 'activation', partner_id, article_codes };
    });
}

const MAKE = { activation, update, deactivation } as const;
const bodyOf = ({ entity_id, event_type, at, ...attributes }: BilledEvent): Record<string, unknown> =>
  MAKE[event_type as keyof typeof MAKE](entity_id, 1, {
    event_at: at,
    event_timezone: 'UTC',
    ...(attributes.article_codes && { sys_attributes: attributes }),
  });

let service: Awaited<ReturnType<typeof startEvents>>['service'];
let billing: Awaited<ReturnType<typeof billingOf>>;
let events: BilledEvent[];
let recorded_until: string;

beforeAll(async () => {
  ({ service } = await startEvents(SETTLED_SOON));
  billing = await billingOf(service, 'ano.counts');
  const lives = fc.sample(life, { numRuns: ENTITIES, seed: SEED }).map(eventsOf);
  events = lives.flat();
  await Promise.all(lives.map((one) => billing.record(...one.map(bodyOf))));
  recorded_until = await billing.settle();
}, 300_000);
afterAll(() => service.close());

test('in any window, the counts are those of the events, and lead from what ran before it to what ran before its end', async () => {
  let [rows, counted] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      edge,
      edge,
      fc.constantFrom(undefined, ...PARTNERS),
      fc.constantFrom(undefined, ...ARTICLES),
      async (one, other, partner_id, article_code) => {
        fc.pre(one !== other);
        const [from, to] = [one, other].sort() as [string, string];
        const window = { from, to };
        const steps = await billing.all<Step>('', { ...window, recorded_until });
        const totals = await billing.totals({ ...window, timezone: 'UTC', recorded_until });
        const expected = totalsOf(steps, countsOf(events, window));
        expect(totals).toEqual(expected);
        expectBalance(totals, events, window);
        const isAsked = (total: Total): boolean =>
          (partner_id ?? total.partner_id) === total.partner_id && (article_code ?? total.article_code) === total.article_code;
        expect(await billing.totals({ ...window, partner_id, article_code, timezone: 'UTC', recorded_until })).toEqual(
          expected.filter(isAsked),
        );
        rows += totals.length;
        counted += totals.reduce((sum, { started, added, removed, ended }) => sum + started + added + removed + ended, 0);
      },
    ),
    { numRuns: WINDOWS, seed: SEED, includeErrorInReport: true },
  );
  expect(rows).toBeGreaterThan(2 * WINDOWS);
  expect(counted).toBeGreaterThan(10 * WINDOWS);
}, 1_800_000);
