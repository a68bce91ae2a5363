import { setTimeout as sleep } from 'node:timers/promises';
import { nextOf, type TestService } from '@fibre/testing';
import type { Response } from 'supertest';
import { READ_WRITE, requestsOf } from '../events/events.js';
import { type BilledEvent, type Counts, keyOf, runningBefore } from './counts.js';

export const PERIODS = '/api/v2/sys/periods/';
export const CLOSINGS = '/api/v2/sys/closings/';
/** SETTLE_SECONDS of the service under test: as short as possible. */
export const SETTLED_SOON = { SETTLE_SECONDS: '1' };

export type Query = Record<string, string | number | undefined>;

/** A step of a response. */
export interface Step {
  readonly entity_id: string;
  readonly partner_id: string;
  readonly from: string;
  readonly to: string;
  readonly article_codes: string[];
  readonly option82?: string;
  readonly partner_reference?: string;
  readonly begins?: string;
  readonly begins_by?: string;
  readonly ends?: string;
  readonly ends_by?: string;
  readonly runs_on: boolean;
}

export interface Correction {
  readonly entity_id: string;
  readonly before: Step[];
  readonly after: Step[];
  readonly truncated?: boolean;
}

export interface Total extends Counts {
  readonly partner_id: string;
  readonly article_code: string;
  readonly entities: number;
  readonly days: number;
}

const NO_COUNTS: Counts = { started: 0, added: 0, removed: 0, ended: 0 };

/** The totals of these steps of a window in UTC. @param counts what began and ended in it, by ISP and article */
export function totalsOf(steps: readonly Step[], counts: ReadonlyMap<string, Counts>): Total[] {
  const sums = new Map<string, { entities: Set<string>; ms: number }>();
  for (const { partner_id, article_codes, entity_id, from, to } of steps)
    for (const code of article_codes) {
      const key = keyOf(partner_id, code);
      const sum = sums.get(key) ?? { entities: new Set(), ms: 0 };
      sum.entities.add(entity_id);
      sum.ms += Date.parse(to) - Date.parse(from);
      sums.set(key, sum);
    }
  // What ended at the very start of the window has no days in it.
  for (const key of counts.keys()) if (!sums.has(key)) sums.set(key, { entities: new Set(), ms: 0 });
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { entities, ms }]) => {
      const [partner_id, article_code] = key.split(' ') as [string, string];
      const days = Math.round(ms / 864_000) / 100;
      return { partner_id, article_code, entities: entities.size, days, ...(counts.get(key) ?? NO_COUNTS) };
    });
}

/** Expects that for each ISP and article the counts lead from what ran before the window to what ran before its end. */
export function expectBalance(totals: readonly Total[], events: readonly BilledEvent[], { from, to }: { from: string; to: string }): void {
  const running = runningBefore(events, from);
  for (const { partner_id, article_code, started, added, removed, ended } of totals) {
    const key = keyOf(partner_id, article_code);
    for (const count of [started, added, removed, ended]) expect(count).toBeGreaterThanOrEqual(0);
    running.set(key, (running.get(key) ?? 0) + started + added - removed - ended);
  }
  const left = [...running].filter(([, count]) => count !== 0).sort();
  expect([from, to, left]).toEqual([from, to, [...runningBefore(events, to)].sort()]);
}

export interface Closing {
  readonly closing_id: string;
  readonly recorded_until: string;
  readonly previous_closing_id?: string;
}

/** The requests that billing sends, in a separate tenant for each test. */
export async function billingOf(service: TestService, tenant: string, headers: Record<string, string> = {}) {
  const client = await service.as({ ...READ_WRITE, tenant });
  const get = (path: string, query: Query) => client.get(`${PERIODS}${path}`).query(query).set(headers);
  const periods = async (query: Query) => {
    const response = await get('', query);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return { steps: response.body as Step[], recordedUntil: response.headers['x-recorded-until'] as string, response };
  };
  const corrections = async (query: Query): Promise<Correction[]> => {
    const response = await get('corrections/', query);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response.body as Correction[];
  };
  const totals = async (query: Query): Promise<Total[]> => {
    const response = await get('totals/', query);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return response.body as Total[];
  };
  /** The records of all pages. */
  const all = async <T>(path: string, query: Query): Promise<T[]> => {
    const records: T[] = [];
    for (let page: Query | undefined = { ...query, _page_size: 1_000 }; page !== undefined;) {
      const response: Response = await get(path, page);
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      records.push(...(response.body as T[]));
      const next = nextOf(response);
      page = next && Object.fromEntries(next.searchParams);
    }
    return records;
  };
  const close = (body: object, more: Record<string, string> = {}) =>
    client
      .post(CLOSINGS)
      .set({ ...headers, ...more })
      .send(body);
  const closed = async (body: object, more: Record<string, string> = {}): Promise<Closing> => {
    const response = await close(body, more);
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
    return response.body as Closing;
  };
  const file = (query: Query, path = 'export') =>
    get(path, query)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks).toString()));
      });
  /** Waits until everything recorded so far is settled, and returns a `recorded_until` that includes it. */
  const settle = async (): Promise<string> => {
    for (const now = new Date().toISOString(); ; await sleep(50)) {
      const { recordedUntil } = await periods({ from: '2026-01-01', to: '2026-01-02' });
      if (new Date(recordedUntil).toISOString() > now) return recordedUntil;
    }
  };
  const { put, record } = requestsOf(client, headers);
  return { client, get, periods, corrections, totals, all, close, closed, file, settle, put, record };
}
