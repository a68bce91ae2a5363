import type { Limit, Limits } from '@fibre/database';
import { Counter, Gauge, type Registry } from 'prom-client';
import { readings } from './metrics.js';

/** What is in use and what was turned away, for each limit of the process (the table in docs/operations.md); read at each scrape. */
export function limitMetrics(limits: Limits, registry: Registry): void {
  const ofLimits = (name: string, help: string, read: (limit: Limit) => number) =>
    readings(Gauge, registry, [name, help], ['limit'], () => [...limits].map((limit) => [{ limit: limit.name }, read(limit)]));
  ofLimits('limit_used', 'What is in use of a limit: requests, bytes, or pieces of work', ({ used }) => used);
  ofLimits('limit_waiting', 'Requests that wait for a limit', ({ waiting }) => waiting);
  const refusals = 'Requests that a limit turned away with 503: there was no room, or they waited too long';
  readings(Counter, registry, ['limit_refused_total', refusals], ['limit', 'reason'], () =>
    [...limits].flatMap(({ name, refused }) => Object.entries(refused).map(([reason, count]) => [{ limit: name, reason }, count] as const)),
  );
}
