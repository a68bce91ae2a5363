import { join } from 'node:path';
import { Child } from '../child.js';
import type { Load } from '../load-process.js';
import { cpuSeconds } from '../process-stats.js';
import { median, type Measured, type Side } from '../rounds.js';
import type { BenchRequest } from '../scenario.js';
import type { EventLoadResult } from './load-process.js';

/** Requests to one server, all of which it has to answer with one status. */
export interface Contestant {
  title: string;
  side: Side;
  requests: BenchRequest[];
  status: number;
}

/** Two kinds of requests, or one kind to two servers, in turns. */
export interface Contest {
  /** For `--only`. */
  name: string;
  title: string;
  token: string;
  connections: number;
  first: Contestant;
  second: Contestant;
  /** Of the ratio of requests per second, first to second. Absent: shown for information. */
  goal?: { atLeast: number } | { atMost: number };
}

export interface ContestResult {
  contest: Contest;
  first: Measured;
  second: Measured;
  /** Median of the ratios of neighbouring rounds, first to second, and the least and greatest of them. */
  ratio: number;
  range: [number, number];
}

const WARM_UP_SECONDS = 3;

/** Alternating rounds, so that whatever else the machine does meets both alike. */
export async function hold(contest: Contest, rounds: number, seconds: number): Promise<ContestResult> {
  const load = new Child(join(import.meta.dirname, 'load-process.ts'));
  const round = async ({ side, requests, status }: Contestant, length: number): Promise<Measured> => {
    const before = cpuSeconds(side.pid);
    const { token, connections } = contest;
    const { statuses, ...result } = await load.ask<EventLoadResult>({ url: side.url, token, connections, seconds: length, requests } satisfies Load);
    if (result.failures > 0 || Object.keys(statuses).join() !== String(status)) {
      throw new Error(`${contest.name}: ${side.url} had to answer ${status}, but: ${JSON.stringify(statuses)}, ${result.failures} failures`);
    }
    const after = cpuSeconds(side.pid);
    const cpuMs = before === undefined || after === undefined ? undefined : ((after - before) * 1_000) / (result.perSecond * length);
    return { ...result, cpuMs };
  };
  try {
    await round(contest.first, WARM_UP_SECONDS);
    await round(contest.second, WARM_UP_SECONDS);
    const [first, second]: [Measured[], Measured[]] = [[], []];
    for (let i = 0; i < rounds; i++) {
      first.push(await round(contest.first, seconds));
      second.push(await round(contest.second, seconds));
    }
    const ratios = first.map(({ perSecond }, i) => perSecond / second[i]!.perSecond);
    return { contest, first: medians(first), second: medians(second), ratio: median(ratios), range: [Math.min(...ratios), Math.max(...ratios)] };
  } finally {
    await load.stop();
  }
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
