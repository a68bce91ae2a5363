import { isDeepStrictEqual } from 'node:util';
import { volume } from '@fibre/testing/volume';
import { createDataSource, Database } from '@fibre/database';
import { Timestamp } from '@fibre/dto';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { NIL as PRODUCTION } from 'uuid';
import { type Written, appendEvent } from '../../src/events/event.sql.js';
import { canonicalSysAttributes, hashSysAttributes } from '../../src/event-attributes/sys-attributes.js';
import { leastIdAt, shardKeyOf } from '../../src/timeline/event-id.js';
import { type Events, READ_WRITE, startEvents } from '../events/events.js';
import { isLegalLife, type ModelAttributes, Oracle, scopeOf } from '../order/oracle.js';
import { type BilledEvent, countsOf } from './counts.js';
import { type Correction, expectBalance, PERIODS, type Step, type Total, totalsOf } from './periods.js';

/** To replay a failing run, set MODEL_SEED and MODEL_PATH to the seed and path that it prints. */
const { MODEL_SEED, MODEL_PATH } = process.env;

const YEAR = { from: '2025-01-01T00:00:00.000000Z', to: '2026-01-01T00:00:00.000000Z' };
/** Recording time of the first event, in milliseconds. */
const FIRST = Date.UTC(2026, 1, 1);
const ENTITIES = 2;
const SYS: readonly ModelAttributes[] = [
  { article_codes: ['a'] },
  { article_codes: ['b', 'a', 'b'], option82: 'port 1' },
  { article_codes: ['b'], option82: 'port 2', partner_reference: 'r' },
];
const PARTNERS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

/** Times in the year and in the weeks around it; some coincide, and some are at the edges of the year. */
const instant: fc.Arbitrary<string> = fc
  .oneof(
    { arbitrary: fc.integer({ min: 0, max: 56 }).map((week) => Date.UTC(2024, 11, 18) + week * 7 * 86_400_000), weight: 3 },
    { arbitrary: fc.integer({ min: Date.UTC(2024, 11, 1), max: Date.UTC(2026, 0, 31) }), weight: 1 },
    { arbitrary: fc.constantFrom(Date.parse(YEAR.from), Date.parse(YEAR.to)), weight: 1 },
  )
  .map((ms) => new Date(ms).toISOString().replace('Z', '000Z'));

const event = fc.record({
  entity: fc.integer({ min: 0, max: ENTITIES - 1 }),
  type: fc.constantFrom('activation', 'activation', 'update', 'update', 'deactivation', 'deactivation', 'notification'),
  at: instant,
  sys: fc.constantFrom(...SYS.keys()),
  partner: fc.constantFrom(...PARTNERS.keys()),
  /** Whether it is recorded in the same millisecond as the previous event. */
  together: fc.boolean(),
});
type Requested = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** A recorded event. */
interface Recorded {
  readonly entity: string;
  readonly id: string;
  readonly type: string;
  readonly at: string;
  /** Index for {@link attributesOf}. */
  readonly sys: number;
  /** Milliseconds. */
  readonly recorded: number;
}

let started: Events;
let dataSource: DataSource;
let database: Database;
let runs = 0;

beforeAll(async () => {
  started = await startEvents();
  dataSource = createDataSource({ url: started.service.databaseUrl, poolSize: 2, applicationName: 'model', entities: [], migrations: [] });
  await dataSource.initialize();
  database = new Database(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await started.service.close();
});

test('adjacent windows add up, corrections turn the old state into the new one, and everything matches the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 24, size: 'max' }),
      fc.uniqueArray(instant, { maxLength: 3 }),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 4 }),
      async (events, cuts, one, other, size) => {
        const run = (++runs).toString(16).padStart(12, '0');
        const tenant = `ano.${run}`;
        const history = await record(tenant, run, events);
        const token = await started.service.issuer.token({ ...READ_WRITE, tenant });
        const read = async <T>(url: string): Promise<{ body: T; next?: string }> => {
          const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
          const body = (await answer.json()) as T;
          expect([url, answer.status, body]).toEqual([url, 200, expect.anything()]);
          return { body, next: /, <([^>]+)>; rel=next/.exec(answer.headers.get('link')!)?.[1] };
        };
        const urlOf = (path: string, query: Record<string, string>): string =>
          `${started.service.url}${PERIODS}${path}?${new URLSearchParams(query).toString()}`;
        const get = async <T>(path: string, query: Record<string, string>): Promise<T> => (await read<T>(urlOf(path, query))).body;
        /** Times by which a random number of events had been recorded, plus any recorded in the same millisecond as the last of them. */
        const [earlier, later] = [one, other]
          .map((n) => history[(n % (history.length + 1)) - 1]?.recorded ?? FIRST - 1)
          .sort((a, b) => a - b) as [number, number];
        const [recorded_from, recorded_until] = [earlier, later].map((ms) => new Date(ms).toISOString()) as [string, string];

        const before = await get<Step[]>('', { ...YEAR, recorded_until: recorded_from });
        expect(before.map(inMicroseconds)).toEqual(modelSteps(history, earlier));
        const after = await get<Step[]>('', { ...YEAR, recorded_until });
        expect(after.map(inMicroseconds)).toEqual(modelSteps(history, later));
        const known = billedEvents(history, later);
        const matchesTotals = async (window: { from: string; to: string }, steps: readonly Step[]): Promise<void> => {
          const totals = await get<Total[]>('totals/', { ...window, timezone: 'UTC', recorded_until });
          expect(totals).toEqual(totalsOf(steps, countsOf(known, window)));
          expectBalance(totals, known, window);
        };
        await matchesTotals(YEAR, after);
        const walked: Step[] = [];
        for (let url: string | undefined = urlOf('', { ...YEAR, recorded_until, _page_size: String(size) }); url !== undefined;) {
          const page: { body: Step[]; next?: string } = await read<Step[]>(url);
          expect(page.body.length).toBe(page.next === undefined ? after.length - walked.length : size);
          walked.push(...page.body);
          url = page.next;
        }
        expect(walked).toEqual(after);

        const inner = cuts.filter((cut) => cut > YEAR.from && cut < YEAR.to).sort();
        const edges = [YEAR.from, ...inner, YEAR.to];
        const windows: Step[] = [];
        for (const [index, to] of edges.slice(1).entries()) {
          const window = { from: edges[index]!, to };
          const steps = await get<Step[]>('', { ...window, recorded_until });
          await matchesTotals(window, steps);
          windows.push(...steps);
        }
        expect(joined(windows.map(inMicroseconds), inner)).toEqual(joined(after.map(inMicroseconds), inner));

        const corrections = await get<Correction[]>('corrections/', { ...YEAR, recorded_from, recorded_until });
        const [credited, charged] = [without(before, after), without(after, before)];
        const corrected = [...new Set([...credited, ...charged].map(({ entity_id }) => entity_id))].sort();
        expect(corrections).toEqual(
          corrected.map((entity_id) => ({
            entity_id,
            before: credited.filter((step) => step.entity_id === entity_id),
            after: charged.filter((step) => step.entity_id === entity_id),
          })),
        );
      },
    ),
    {
      numRuns: volume(20, 50, 1_000),
      includeErrorInReport: true,
      ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
      ...(MODEL_PATH !== undefined && { path: MODEL_PATH }),
    },
  );
  // CI runs a thousand histories, which takes a long time.
}, 1_800_000);

/** Records the requested events that a timeline accepts, as the service does, but with recording times in the distant past. */
async function record(tenant: string, run: string, requested: readonly Requested[]): Promise<Recorded[]> {
  const history: Recorded[] = [];
  let recorded = FIRST;
  for (const { entity: number, type, at, sys, partner, together } of requested) {
    const entity = `0000000${number}-0000-4000-8000-${run}`;
    const timeline = history.filter((one) => one.entity === entity);
    if (timeline.some((one) => one.at === at) || !isLegalLife([...timeline, { type, at }])) continue;
    if (!together) recorded += 1_000;
    const attributes = sys + partner * SYS.length;
    const sysAttributes = type === 'deactivation' ? null : canonicalSysAttributes(attributesOf({ type, sys: attributes }));
    const shardKey = shardKeyOf(entity);
    const isLast = type !== 'notification' && !timeline.some((one) => one.type !== 'notification' && one.at > at);
    const rows = await database.run<Written & object>(
      appendEvent(
        { tenant, namespaceId: PRODUCTION, entityId: entity, shardKey },
        { version: timeline.length, isLast },
        {
          type: type,
          at: Timestamp.parse(at)!,
          timezone: 'UTC',
          sysAttributes,
          sysHash: hashSysAttributes(sysAttributes),
          actor: null,
          user: { usr_reference: null, usr_attributes: null, comment: null },
        },
      ),
    );
    const { outcome, event_id } = rows[0]!;
    expect(outcome).toBe('added');
    // The recording time, which the id contains, is changed afterwards, because append_event takes the current time.
    const id = leastIdAt(recorded).slice(0, 14) + event_id!.slice(14);
    await dataSource.query(
      `with e as (update event set event_id = $5, created_at = $4, modified_at = $4 where shard_key = $1 and tenant = $2 and event_id = $3)
       update timeline set modified_at = $4, last_event_id = $5 where shard_key = $1 and tenant = $2 and last_event_id = $3`,
      [shardKey, tenant, event_id, new Date(recorded), id],
    );
    history.push({ entity, id, type, at, sys: attributes, recorded });
  }
  return history;
}

/** The sys_attributes of an event in the model. */
const attributesOf = ({ type, sys }: Pick<Recorded, 'type' | 'sys'>): ModelAttributes => ({
  ...SYS[sys % SYS.length]!,
  ...(type === 'activation' && { partner_id: PARTNERS[Math.floor(sys / SYS.length)] }),
});

/** The lifecycle events recorded until then. */
const billedEvents = (history: readonly Recorded[], until: number): BilledEvent[] =>
  history
    .filter(({ type, recorded }) => type !== 'notification' && recorded <= until)
    .map((event) => ({
      entity_id: event.entity,
      event_type: event.type,
      at: event.at,
      ...(event.type !== 'deactivation' && attributesOf(event)),
    }));

/** The steps of the year according to the model, which replays each entity's whole timeline and then clips the steps. */
function modelSteps(history: readonly Recorded[], until: number): object[] {
  const known = history.filter(({ recorded }) => recorded <= until);
  return [...new Set(known.map(({ entity }) => entity))].sort().flatMap((entity_id) => {
    const oracle = new Oracle();
    const scope = { tenant: 'model', namespace: undefined };
    const events = known.filter(({ entity }) => entity === entity_id);
    for (const { type, at, sys } of [...events].sort((a, b) => (a.at < b.at ? -1 : 1)))
      oracle.record({ ...scope, type, at, sys, user: undefined });
    const eventAt = (at: string): Recorded => events.find((one) => one.at === at && one.type !== 'notification')!;
    return oracle.periods(scopeOf(scope), attributesOf).flatMap(({ partner_id, to: ended, steps }) =>
      steps.flatMap(({ from, key: _key, ...attributes }, index) => {
        const end = steps[index + 1]?.from ?? ended;
        if (from >= YEAR.to || (end !== undefined && end <= YEAR.from)) return [];
        const runsOn = end === undefined || end >= YEAR.to;
        return {
          entity_id,
          partner_id,
          ...attributes,
          runs_on: runsOn,
          from: from < YEAR.from ? YEAR.from : from,
          to: runsOn ? YEAR.to : end,
          ...(from >= YEAR.from && { begins: eventAt(from).id, begins_by: eventAt(from).type }),
          ...(!runsOn && { ends: eventAt(end).id, ends_by: eventAt(end).type }),
        };
      }),
    );
  });
}

/** The steps that the other list does not have. */
const without = (steps: readonly Step[], others: readonly Step[]): Step[] =>
  steps.filter((step) => !others.some((other) => isDeepStrictEqual(step, other)));

/** Joins the steps of adjacent windows, and omits what happens exactly at an edge, because only the whole window shows it. */
function joined(steps: readonly Step[], edges: readonly string[]): object[] {
  const whole: Step[] = [];
  for (const step of [...steps].sort(byPlace)) {
    const last = whole.at(-1);
    const goesOn = step.begins === undefined && last?.entity_id === step.entity_id && last.to === step.from && edges.includes(step.from);
    if (goesOn) whole[whole.length - 1] = { ...last, to: step.to, ends: step.ends, ends_by: step.ends_by, runs_on: step.runs_on };
    else whole.push(step);
  }
  return whole.map(({ ends, ends_by, runs_on, ...step }) => (edges.includes(step.to) ? step : { ...step, ends, ends_by, runs_on }));
}

const byPlace = (a: Step, b: Step): number => (`${a.entity_id} ${a.from}` < `${b.entity_id} ${b.from}` ? -1 : 1);

/** Converts `2026-01-01T00:00:00.000+00:00` to `2026-01-01T00:00:00.000000Z`. */
const micro = (text: string): string => `${text.replace('+00:00', '').padEnd(26, '0')}Z`;
const inMicroseconds = (step: Step): Step => ({ ...step, from: micro(step.from), to: micro(step.to) });
