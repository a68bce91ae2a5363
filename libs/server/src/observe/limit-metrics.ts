import type { Limit, LimitRefusal, Limits } from '@fibre/database';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What is in use and what was turned away, for each limit of the process (the table in docs/operations.md); read at each scrape. */
export function limitMetrics(limits: Limits, registry: Registry): void {
  const registers = [registry];
  const ofLimits = (name: string, help: string, read: (limit: Limit) => number): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['limit'],
      registers,
      collect() {
        for (const limit of limits) this.set({ limit: limit.name }, read(limit));
      },
    });
  ofLimits('limit_used', 'What is in use of a limit: requests, bytes, or pieces of work', ({ used }) => used);
  ofLimits('limit_waiting', 'Requests that wait for a limit', ({ waiting }) => waiting);
  new Counter({
    name: 'limit_refused_total',
    help: 'Requests that a limit turned away with 503: there was no room, or they waited too long',
    labelNames: ['limit', 'reason'],
    registers,
    collect() {
      this.reset();
      for (const { name, refused } of limits)
        for (const reason of Object.keys(refused) as LimitRefusal[]) this.inc({ limit: name, reason }, refused[reason]);
    },
  });
}
