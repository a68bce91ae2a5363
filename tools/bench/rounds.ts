import { join } from 'node:path';
import { Child } from './child.js';
import type { Load, LoadResult } from './load-process.js';
import { cpuSeconds } from './process-stats.js';
import type { Contestant, Scenario } from './scenario.js';

/** One round, or the medians over the rounds of one contestant. */
export interface Measured extends Omit<LoadResult, 'failures' | 'statuses'> {
  /** Milliseconds of the server process per request; NaN where the system does not say. */
  cpuMs: number;
}

export interface ScenarioResult {
  scenario: Scenario;
  first: Measured;
  second: Measured;
  /** Median of the ratios of neighbouring rounds, first to second, and the least and greatest of them. */
  ratio: number;
  range: [number, number];
}

const MAX_WARM_UP_SECONDS = 3;

/** Alternating rounds, so that whatever else the machine does meets both alike. */
export async function alternate(scenario: Scenario, rounds: number, seconds: number): Promise<ScenarioResult> {
  const load = new Child(join(import.meta.dirname, 'load-process.ts'));
  const round = (contestant: Contestant, length: number): Promise<Measured> => measure(load, scenario, contestant, length);
  try {
    const warmUp = Math.min(MAX_WARM_UP_SECONDS, seconds);
    await round(scenario.first, warmUp);
    await round(scenario.second, warmUp);
    const [first, second]: [Measured[], Measured[]] = [[], []];
    for (let i = 0; i < rounds; i++) {
      first.push(await round(scenario.first, seconds));
      second.push(await round(scenario.second, seconds));
    }
    const ratios = first.map(({ perSecond }, i) => perSecond / second[i]!.perSecond);
    return {
      scenario,
      first: medians(first),
      second: medians(second),
      ratio: median(ratios),
      range: [Math.min(...ratios), Math.max(...ratios)],
    };
  } finally {
    await load.stop();
  }
}

/** One round. @throws Error when a request fails or is answered with another status than it has to be */
async function measure(
  load: Child,
  { title, token, connections }: Scenario,
  { server, requests, status, token: own = token }: Contestant,
  seconds: number,
): Promise<Measured> {
  const before = cpuSeconds(server.pid);
  const { failures, statuses, ...result } = await load.ask<LoadResult>({
    url: server.url,
    token: own,
    connections,
    seconds,
    requests,
  } satisfies Load);
  if (failures > 0 || Object.keys(statuses).join() !== String(status)) {
    throw new Error(`${title}: ${server.url} had to answer ${status}, but: ${JSON.stringify(statuses)}, ${failures} failures`);
  }
  return { ...result, cpuMs: ((cpuSeconds(server.pid) - before) * 1_000) / (result.perSecond * seconds) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function medians(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured): number => median(rounds.map((round) => round[key]));
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), megabytesPerSecond: of('megabytesPerSecond'), cpuMs: of('cpuMs') };
}
