import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** A tenant that uses both services while another tenant attacks them. It runs in a thread of `main.ts`. */
export interface VictimJob {
  coverage: string;
  events: string;
  /** Each token is used for one request, as if every request came from a new client. */
  tokens: string[];
  seconds: number;
  /** How many times the usual number of requests is sent. */
  times: number;
}

/** The measured effect. */
export interface Sight {
  requests: number;
  /** The request, and the status or error, of each failure. */
  failures: string[];
  /** Response times, in milliseconds, of the requests that are sent at a fixed rate. */
  p50: number;
  p99: number;
  slowestProbe: number;
}

const PATIENCE_MS = 30_000;
const PROBE_EVERY_MS = 250;
const { coverage, events, tokens, seconds, times: factor } = workerData as VictimJob;
const relation = randomUUID();
const json = 'application/json';
const place = (): string => `${(47 + Math.random()).toFixed(6)}, ${(13 + Math.random()).toFixed(6)}`;
const failures: string[] = [];
const times: number[] = [];
let requests = 0;
let used = 0;

/** @returns how long the request took, in milliseconds */
async function send(name: string, url: string, method = 'GET', body?: string, type = json): Promise<number> {
  const began = performance.now();
  requests++;
  const headers = { authorization: `Bearer ${tokens[used++ % tokens.length]}`, ...(body && { 'content-type': type }) };
  try {
    const response = await fetch(url, { method, body, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.arrayBuffer();
    if (!response.ok) failures.push(`${name} ${response.status}`);
  } catch (error) {
    failures.push(`${name} ${(error as Error).name}`);
  }
  return performance.now() - began;
}

const nodes = `${coverage}/v2/cov/nodes`;
const activation = (): string =>
  JSON.stringify({
    entity_id: randomUUID(),
    event_type: 'activation',
    event_at: '2026-02-01T16:00:00+01:00',
    sys_attributes: { partner_id: randomUUID(), article_codes: ['FIBRE-100'] },
  });
/** Sent at a fixed rate, whether or not earlier requests have finished, so that a stall also affects the requests sent during it. */
const EVERY_SECOND: readonly [perSecond: number, work: () => Promise<number>][] = [
  [10, () => send('search', `${coverage}/v2/cov/search?center=${place()}&search_radius=1000`)],
  [5, () => send('list nodes', `${nodes}?_page_size=100`)],
  [5, () => send('tile', `${coverage}/v2/cov/tiles/12/2200/1420.mvt`)],
  [5, () => send('create', nodes, 'POST', JSON.stringify({ relation_id: relation, token: 'planned', center: place() }))],
  [10, () => send('record', `${events}/api/v2/sys/events`, 'PUT', activation())],
  [2, () => send('merge', `${nodes}?relation_id=${relation}`, 'PUT')],
  [5, () => send('list events', `${events}/api/v2/sys/events?_page_size=100`)],
];
/** Sent one after the other, because a tenant may only run one of each at a time. */
const IN_TURN: readonly (() => Promise<number>)[] = [
  () => send('import', `${nodes}/import?dry_run=true`, 'POST', `relation_id,token,center\n${relation},planned,"48.2, 16.3"\n`, 'text/csv'),
  () => send('export', `${nodes}/export?relation_id=${relation}`),
];

const end = performance.now() + seconds * 1_000;
const sending: Promise<unknown>[] = [];
const loop = async (pause: number, work: () => unknown): Promise<void> => {
  for (let next = performance.now(); next < end; next += pause) {
    await sleep(Math.max(0, next - performance.now()));
    await work();
  }
};
let slowestProbe = 0;
const probe = async (url: string): Promise<void> => {
  const began = performance.now();
  await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    (response) => response.text(),
    () => undefined,
  );
  slowestProbe = Math.max(slowestProbe, performance.now() - began);
};
await Promise.all([
  ...EVERY_SECOND.map(([perSecond, work]) =>
    loop(1_000 / perSecond / factor, () => void sending.push(work().then((ms) => times.push(ms)))),
  ),
  ...IN_TURN.map((work) => loop(500, work)),
  ...[coverage, events].map((url) => loop(PROBE_EVERY_MS, () => probe(url))),
]);
await Promise.all(sending);
times.sort((a, b) => a - b);
const part = (share: number): number => times[Math.ceil(times.length * share) - 1]!;
parentPort!.postMessage({ requests, failures, p50: part(0.5), p99: part(0.99), slowestProbe } satisfies Sight);
