import { join } from 'node:path';
import { Child } from './child.js';
import type { Load, LoadResult } from './load-process.js';
import { cpuSeconds } from './process-stats.js';
import type { Scenario } from './scenario.js';

/** A server under load. */
export interface Side {
  url: string;
  pid: number;
}

/** Medians over the rounds of one side. */
export interface Measured extends LoadResult {
  /** Milliseconds of the server process per request. */
  cpuMs: number | undefined;
}

export interface ScenarioResult {
  scenario: Scenario;
  service: Measured;
  bare: Measured;
  /** Median of the ratios of neighbouring rounds, service to bare handler, and the least and greatest of them. */
  ratio: number;
  range: [number, number];
}

const WARM_UP_SECONDS = 3;

/** Alternating rounds, so that whatever else the machine does meets both sides alike. */
export async function alternate(scenario: Scenario, sides: { service: Side; bare: Side }, rounds: number, seconds: number): Promise<ScenarioResult> {
  const load = new Child(join(import.meta.dirname, 'load-process.ts'));
  const { token, connections, requests } = scenario;
  const round = async (side: Side, length: number): Promise<Measured> => {
    const before = cpuSeconds(side.pid);
    const result = await load.ask<LoadResult>({ url: side.url, token, connections, seconds: length, requests } satisfies Load);
    if (result.failures > 0) throw new Error(`${scenario.name}: ${result.failures} requests failed at ${side.url}`);
    const after = cpuSeconds(side.pid);
    const cpuMs = before === undefined || after === undefined ? undefined : ((after - before) * 1_000) / (result.perSecond * length);
    return { ...result, cpuMs };
  };
  try {
    await round(sides.service, WARM_UP_SECONDS);
    await round(sides.bare, WARM_UP_SECONDS);
    const [service, bare]: [Measured[], Measured[]] = [[], []];
    for (let i = 0; i < rounds; i++) {
      service.push(await round(sides.service, seconds));
      bare.push(await round(sides.bare, seconds));
    }
    const ratios = service.map(({ perSecond }, i) => perSecond / bare[i]!.perSecond);
    return { scenario, service: medians(service), bare: medians(bare), ratio: median(ratios), range: [Math.min(...ratios), Math.max(...ratios)] };
  } finally {
    await load.stop();
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function medians(rounds: readonly Measured[]): Measured {
  const of = (pick: (round: Measured) => number): number => median(rounds.map(pick));
  return {
    perSecond: of((round) => round.perSecond),
    p50: of((round) => round.p50),
    p99: of((round) => round.p99),
    megabytesPerSecond: of((round) => round.megabytesPerSecond),
    failures: 0,
    cpuMs: rounds[0]?.cpuMs === undefined ? undefined : of((round) => round.cpuMs!),
  };
}
