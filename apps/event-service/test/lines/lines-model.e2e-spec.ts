import { Follower, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { SETTLED_SOON } from '../billing/periods.js';
import { newEntity, startEvents } from '../events/events.js';
import { ispOf, type Line, LINES, linesOf, operatorOf } from './lines.js';

/** To replay a failing run, set MODEL_SEED to the seed that it prints. */
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000);
const TIMELINES = volume(40, 200, 1_000);
const INSTANTS = volume(5, 20, 20);
const ISPS = ['isp.a', 'isp.b', 'isp.c'];
const OPERATORS = ['ano.x', 'ano.y'];
/** Events that are recorded between two looks at the feeds. */
const ROUNDS = 3;
const AT_ONCE = 8;
const FIRST = Date.UTC(2026, 0, 1);
const HOURS = 60 * 24;

const hour = fc.integer({ min: 0, max: HOURS }).map((hours) => new Date(FIRST + hours * 3_600_000).toISOString());
const event = fc.record({
  type: fc.constantFrom('activation', 'activation', 'update', 'update', 'deactivation', 'deactivation', 'notification'),
  at: hour,
  isp: fc.nat(ISPS.length - 1),
  codes: fc.constantFrom(['a'], ['b', 'a']),
  option82: fc.constantFrom('port 1', 'port 2', undefined, undefined),
  partner_reference: fc.constantFrom('r', undefined, undefined),
  erase: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
});
type Wanted = typeof event extends fc.Arbitrary<infer T> ? T : never;
/** A recorded lifecycle event; erasure clears the last two. */
type Known = Pick<Wanted, 'type' | 'at' | 'isp' | 'codes'> & { option82?: string; partner_reference?: string };
interface Timeline {
  readonly operator: number;
  readonly entity: string;
  readonly wanted: readonly Wanted[];
  readonly known: Known[];
}

let service: TestService;
beforeAll(async () => void ({ service } = await startEvents(SETTLED_SOON)));
afterAll(() => service.close());

test(`lists at any instant, and copies by feed, have the lines of the model (MODEL_SEED=${SEED})`, async () => {
  const operators = await Promise.all(OPERATORS.map((tenant) => operatorOf(service, tenant)));
  const partners: string[][] = [];
  for (const operator of operators) {
    const ids: string[] = [];
    for (const isp of ISPS) ids.push(await operator.register(isp));
    partners.push(ids);
  }
  const clients = await Promise.all(ISPS.map((isp) => ispOf(service, isp)));
  const followers = clients.map((client) => new Follower(client, `${LINES}changes/?_page_size=7`));

  const lives = fc.sample(fc.tuple(fc.nat(OPERATORS.length - 1), fc.array(event, { minLength: 1, maxLength: 14, size: 'max' })), {
    numRuns: TIMELINES,
    seed: SEED,
  });
  // Some entities have the same id at both operators.
  const shared = newEntity();
  const timelines = lives.map(([operator, wanted], index): Timeline => ({
    operator: index < 2 ? index : operator,
    entity: index < 2 ? shared : newEntity(),
    wanted,
    known: [],
  }));

  async function record({ operator, entity, known }: Timeline, one: Wanted): Promise<void> {
    const { put, erase } = operators[operator]!;
    const { type, at, isp, codes, option82, partner_reference } = one;
    const line = { ...(option82 && { option82 }), ...(partner_reference && { partner_reference }) };
    const sys_attributes = {
      ...line,
      ...(type === 'activation' && { partner_id: partners[operator]![isp] }),
      ...(type !== 'notification' && { article_codes: codes }),
    };
    const body = { entity_id: entity, event_type: type, event_at: at, event_timezone: 'UTC' };
    const { status } = await put(type === 'deactivation' ? body : { ...body, sys_attributes });
    expect([201, 200, 409]).toContain(status);
    if (status === 201 && type !== 'notification') known.push({ type, at, isp, codes, ...(type !== 'deactivation' && line) });
    if (!one.erase || (known.length === 0 && status === 409)) return;
    await erase(entity);
    for (const event of known) {
      delete event.option82;
      delete event.partner_reference;
    }
  }

  for (let round = 0; round < ROUNDS; round++) {
    const queue = [...timelines];
    const work = async (): Promise<void> => {
      for (let timeline = queue.pop(); timeline; timeline = queue.pop()) {
        const { wanted } = timeline;
        const part = wanted.slice((round * wanted.length) / ROUNDS, ((round + 1) * wanted.length) / ROUNDS);
        for (const one of part) await record(timeline, one);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await Promise.all(followers.map((follower) => follower.catchUp()));
    for (const [isp, follower] of followers.entries())
      expect([SEED, round, sorted([...follower.copy.values()])]).toEqual([SEED, round, modelOf(isp, '9999')]);
  }
  const instants = fc.sample(hour, { numRuns: INSTANTS, seed: SEED });
  for (const at of [...instants, undefined])
    for (const [isp, client] of clients.entries())
      expect([SEED, at, sorted(await linesOf(client, at ? { at } : {}, 50))]).toEqual([SEED, at, modelOf(isp, at ?? '9999')]);
  for (const [isp, client] of clients.entries())
    for (const at of instants)
      expect(sorted(await linesOf(client, { at, option82: 'port 1' }))).toEqual(
        modelOf(isp, at).filter(({ option82 }) => option82 === 'port 1'),
      );

  /** The lines of an ISP at an instant: each timeline is played from its beginning. */
  function modelOf(isp: number, until: string): Omit<Line, 'line_id'>[] {
    return sorted(
      timelines.flatMap(({ operator, entity, known }) => {
        let line: Known | undefined;
        let since = '';
        for (const event of known.filter(({ at }) => at <= until).sort((a, b) => (a.at < b.at ? -1 : 1))) {
          if (event.type === 'activation') since = event.at;
          line = event.type === 'deactivation' ? undefined : event.type === 'activation' ? event : { ...line!, ...event, isp: line!.isp };
        }
        if (line?.isp !== isp) return [];
        const { codes, option82, partner_reference } = line;
        return {
          tenant: OPERATORS[operator]!,
          entity_id: entity,
          partner_id: partners[operator]![isp]!,
          article_codes: codes,
          since: since.replace('Z', '+00:00'),
          ...(option82 && { option82 }),
          ...(partner_reference && { partner_reference }),
        };
      }),
    );
  }
}, 1_800_000);

/** Lines without what the model does not know, in the order of the list. */
function sorted(lines: readonly object[]): Omit<Line, 'line_id'>[] {
  const known = (lines as (Line & { line_id?: string })[]).map(({ line_id: _id, ...line }) => line);
  return known.sort((a, b) => (`${a.entity_id} ${a.tenant}` < `${b.entity_id} ${b.tenant}` ? -1 : 1));
}
