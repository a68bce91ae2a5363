import { type BenchRequest, send } from '../requests.js';
import type { Server } from '../running.js';

/** Milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** A server with the requests it gets, one after the other and then again. */
export interface Asked {
  readonly server: Pick<Server, 'url'>;
  readonly token: string;
  readonly requests: readonly BenchRequest[];
  readonly status?: number;
}

const WARM_UP = 20;

/** What requests take, one at a time; the servers are asked in turns, so that whatever else the machine does meets all alike. */
export async function latencies(asked: readonly Asked[], count: number): Promise<Latency[]> {
  const times: number[][] = asked.map(() => []);
  for (let i = -WARM_UP; i < count; i++) {
    for (const [index, { server, token, requests, status }] of asked.entries()) {
      const begin = performance.now();
      await send(server, requests[(i + WARM_UP) % requests.length]!, token, status);
      if (i >= 0) times[index]!.push(performance.now() - begin);
    }
  }
  return times.map(latencyOf);
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = times.toSorted((a, b) => a - b);
  const part = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1]!;
  return { p50: part(0.5), p95: part(0.95) };
}

export const shown = (ms: number): string => (Number.isFinite(ms) ? `${ms.toFixed(ms < 10 ? 2 : 0)} ms` : 'beyond the deadline');
