import { randomUUID } from 'node:crypto';
import type { TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { activation, deactivation, startEvents, update } from '../events/events.js';
import { type BilledEvent, countsOf } from './counts.js';
import { billingOf, type Closing, type Correction, expectBalance, type Query, SETTLED_SOON, type Step, totalsOf } from './periods.js';

const ENTITIES = volume(10, 30, 1_000);
/** Requests that are sent at the same time. */
const LANES = 8;
const PARTNERS = [1, 2, 3].map((n) => `${String(n).repeat(8)}-1111-4111-8111-111111111111`);
const ARTICLES = ['FIBRE-100', 'FIBRE-250', 'FIBRE-1000'];
const MONTHS = Array.from({ length: 12 }, (_, month) => ({ from: day(month, 1), to: day(month + 1, 1), timezone: 'UTC' }));

let service: TestService;
beforeAll(async () => void ({ service } = await startEvents(SETTLED_SOON)));
afterAll(() => service.close());

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;
function day(month: number, number: number): string {
  return new Date(Date.UTC(2025, month, number)).toISOString().slice(0, 10);
}

type Body = Record<string, unknown>;
const billed = ({ entity_id, event_type, event_at, sys_attributes }: Body): BilledEvent =>
  ({ entity_id, event_type, at: event_at, ...(sys_attributes as object) }) as BilledEvent;

/** A random event at a random second of the month. Its entity's timeline may not allow it. */
function eventIn(month: number, entity: string): Body {
  const [at, event_timezone] = [new Date(Date.UTC(2025, month) + Math.floor(Math.random() * 28 * 86_400) * 1_000).toISOString(), 'UTC'];
  const articles = { article_codes: [oneOf(ARTICLES)] };
  return oneOf([
    () => activation(entity, 1, { event_at: at, event_timezone, sys_attributes: { ...articles, partner_id: oneOf(PARTNERS) } }),
    () => update(entity, 1, { event_at: at, event_timezone, sys_attributes: articles }),
    () => deactivation(entity, 1, { event_at: at, event_timezone }),
  ])();
}

/** What an invoice contains after its corrections: what they credit is taken off, and what they charge is added. */
function corrected(invoice: readonly Step[], corrections: readonly Correction[]): Step[] {
  const texts = new Map(invoice.map((step) => [JSON.stringify(step), step]));
  for (const step of corrections.flatMap(({ before }) => before)) expect(texts.delete(JSON.stringify(step))).toBe(true);
  for (const step of corrections.flatMap(({ after }) => after)) texts.set(JSON.stringify(step), step);
  return [...texts.values()].sort((a, b) => (a.entity_id + a.from < b.entity_id + b.from ? -1 : 1));
}

test('every invoice of a year and its corrections equal what the events say in the end, and a closing never changes', async () => {
  const billing = await billingOf(service, 'ano.year');
  const entities = Array.from({ length: ENTITIES }, randomUUID);
  const events: BilledEvent[] = [];
  const record = async (count: number, event: () => Body): Promise<void> => {
    let left = count;
    const lane = async (): Promise<void> => {
      while (left-- > 0) {
        const body = event();
        const { status } = await billing.put(body);
        expect([201, 409]).toContain(status);
        if (status === 201) events.push(billed(body));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  };
  /** Expects the totals of these steps of a month, and of what the events recorded so far begin and end in it. */
  const expectTotals = async (query: Query, window: { from: string; to: string }, steps: readonly Step[]): Promise<void> => {
    const totals = await billing.totals(query);
    const instants = { from: `${window.from}T00:00:00.000Z`, to: `${window.to}T00:00:00.000Z` };
    expect(totals).toEqual(totalsOf(steps, countsOf(events, instants)));
    expectBalance(totals, events, instants);
  };
  const file = async (closing: string): Promise<string> => (await billing.file({ closing, format: 'csv' })).body as string;

  const closings: (Closing & { readonly steps: Step[]; readonly file: string; readonly window: { from: string; to: string } })[] = [];
  for (const [month, window] of MONTHS.entries()) {
    // Every fourth event is about an earlier month that is closed already.
    const monthOf = (): number => (Math.random() < 0.25 ? Math.floor(Math.random() * (month + 1)) : month);
    await record(ENTITIES, () => eventIn(monthOf(), oneOf(entities)));
    await billing.settle();
    const closing = await billing.closed(window);
    const steps = await billing.all<Step>('', { closing: closing.closing_id });
    await expectTotals({ closing: closing.closing_id }, window, steps);
    closings.push({ ...closing, steps, file: await file(closing.closing_id), window });
  }
  await record(10 * ENTITIES, () => eventIn(Math.floor(Math.random() * 12), oneOf(entities)));
  const recorded_until = await billing.settle();
  for (const { closing_id: closing, steps, window, ...closed } of closings) {
    expect(await file(closing)).toBe(closed.file);
    const now = await billing.all<Step>('', { ...window, recorded_until });
    expect(corrected(steps, await billing.all<Correction>('corrections/', { closing, recorded_until }))).toEqual(now);
    await expectTotals({ ...window, recorded_until }, window, now);
  }
  const count = closings.reduce((sum, { steps }) => sum + steps.length, 0);
  expect(count).toBeGreaterThan(ENTITIES);
}, 1_800_000);
