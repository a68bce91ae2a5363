import { join } from 'node:path';
import { Child } from '../child.js';
import { median } from '../rounds.js';
import type { Server } from '../running.js';
import type { Group, GroupResult, SendJob, StallJob, StallResult } from './sender-process.js';
import type { OverloadSuite } from './suites.js';
import { type Watched, whileWatched } from './watch.js';

/** Lengths in seconds. */
export interface Lengths {
  warmUp: number;
  step: number;
  flood: number;
  recovery: number;
  stall: number;
}

export const FULL: Lengths = { warmUp: 10, step: 10, flood: 20, recovery: 15, stall: 30 };
export const QUICK: Lengths = { warmUp: 5, step: 3, flood: 6, recovery: 8, stall: 20 };

const PEAK_CONNECTIONS = [8, 16, 32, 64];
const CLOSED_CONNECTIONS = 2_000;
/** Offered load as a part of the peak, by requests that come whatever comes back. */
const OFFERED = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];
const FLOOD = 4;
/** Floods of each kind, with the peak measured before, between and after them: a shared machine is not the same for long. */
const FLOODS = 3;
const [MODEST_CLIENTS, MODEST_LOAD, GREEDY_CONNECTIONS] = [20, 0.5, 500];
/** Latency is normal when 99 % of a second's requests take at most so many times what they take at the peak, for so many seconds. */
const [NORMAL, NORMAL_FOR] = [2, 3];
const [STALLED_CONNECTIONS, STALLED_REQUESTS] = [250, 4];

/** What became of the floods of a kind: medians, the slowest probe and the most memory. */
type Flooded = GroupResult &
  Watched & {
    recoverySeconds: number;
    /** At the peak, beside the floods: goodput and 99th percentile. */
    peakGood: number;
    peakP99: number;
  };

export interface OverloadResult {
  peak: GroupResult & { connections: number };
  curve: (GroupResult & { offered: number })[];
  closed: Flooded;
  closedIgnoring: Flooded;
  open: Flooded;
  stalled: StallResult & Watched & { connections: number };
  fairness: { alone: GroupResult; withGreedy: GroupResult };
}

export async function measureOverload(
  server: Server,
  suite: OverloadSuite,
  lengths: Lengths,
  say: (line: string) => void,
): Promise<OverloadResult> {
  const sender = new Child(join(import.meta.dirname, 'sender-process.ts'));
  const { requests, tokens } = suite;
  const run = async (seconds: number, ...groups: Omit<Group, 'requests'>[]): Promise<GroupResult[]> =>
    sender.ask<GroupResult[]>({ url: server.url, seconds, groups: groups.map((group) => ({ ...group, requests })) } satisfies SendJob);
  const only = async (seconds: number, group: Omit<Group, 'requests'>): Promise<GroupResult> => (await run(seconds, group))[0]!;
  const one = tokens.slice(0, 1);

  try {
    await only(lengths.warmUp, { tokens: one, connections: 16 });
    const peaks: OverloadResult['peak'][] = [];
    for (const connections of PEAK_CONNECTIONS) peaks.push({ connections, ...(await only(lengths.step, { tokens: one, connections })) });
    const peak = peaks.reduce((a, b) => (b.good > a.good ? b : a));
    say(`peak ${line(peak)} with ${peak.connections} connections`);

    /** Seconds after a flood until requests, half as many as at the peak, are as fast as before again. */
    const recovery = async (peakP99: number): Promise<number> => {
      const { p99OfSecond } = await only(lengths.recovery, { tokens: one, connections: 64, rate: peak.good / 2 });
      const isNormal = (p99: number | undefined): boolean => p99 !== undefined && p99 > 0 && p99 <= NORMAL * peakP99;
      const back = p99OfSecond.findIndex((_, second) => p99OfSecond.slice(second, second + NORMAL_FOR).every(isNormal));
      return back < 0 ? lengths.recovery : back;
    };
    const peakNow = (): Promise<GroupResult> => only(lengths.step, { tokens: one, connections: peak.connections });
    const flood = async (name: string, group: Omit<Group, 'requests' | 'tokens'>): Promise<Flooded> => {
      const peaks = [await peakNow()];
      const floods: (GroupResult & Watched)[] = [];
      for (let i = 0; i < FLOODS; i++) {
        floods.push(await whileWatched(server, only(lengths.flood, { tokens: one, ...group })));
        if (i < FLOODS - 1) peaks.push(await peakNow());
      }
      const recoverySeconds = await recovery(medianOf(peaks, 'p99'));
      peaks.push(await peakNow());
      const flooded: Flooded = {
        ...floods[0]!,
        good: medianOf(floods, 'good'),
        refused: medianOf(floods, 'refused'),
        failed: medianOf(floods, 'failed'),
        p50: medianOf(floods, 'p50'),
        p99: medianOf(floods, 'p99'),
        refusalP99: medianOf(floods, 'refusalP99'),
        slowestProbe: Math.max(...floods.map(({ slowestProbe }) => slowestProbe)),
        megabytes: Math.max(...floods.map(({ megabytes }) => megabytes)),
        recoverySeconds,
        peakGood: medianOf(peaks, 'good'),
        peakP99: medianOf(peaks, 'p99'),
      };
      const { peakGood, peakP99 } = flooded;
      say(
        `${name}: ${line(flooded)}; ${(flooded.good / peakGood).toFixed(2)} of the peak, 99 % ${(flooded.p99 / peakP99).toFixed(2)} times, ` +
          `probe ${flooded.slowestProbe.toFixed(0)} ms, ${flooded.megabytes.toFixed(0)} MB, back in ${recoverySeconds} s`,
      );
      return flooded;
    };

    const stalled = await whileWatched(
      server,
      sender.ask<StallResult>({
        ...suite.page,
        url: server.url,
        seconds: lengths.stall,
        connections: STALLED_CONNECTIONS,
        requests: STALLED_REQUESTS,
      } satisfies StallJob),
    );
    say(`slow readers: ${stalled.cut} of ${STALLED_CONNECTIONS} cut, ${stalled.megabytes.toFixed(0)} MB`);
    const curve: OverloadResult['curve'] = [];
    for (const part of OFFERED) {
      const offered = part * peak.good;
      curve.push({ offered, ...(await only(lengths.step, { tokens: one, connections: CLOSED_CONNECTIONS, rate: offered })) });
      say(`offered ${offered.toFixed(0)}/s: ${line(curve.at(-1)!)}`);
    }
    const closed = await flood('closed', { connections: CLOSED_CONNECTIONS, heedsRetryAfter: true });
    const closedIgnoring = await flood('closed, ignoring Retry-After', { connections: CLOSED_CONNECTIONS });
    const open = await flood('open', { connections: CLOSED_CONNECTIONS, rate: FLOOD * peak.good });

    const modest = { tokens: tokens.slice(1, 1 + MODEST_CLIENTS), connections: MODEST_CLIENTS * 2, rate: MODEST_LOAD * peak.good };
    const alone = await only(lengths.step, modest);
    const [withGreedy] = await run(lengths.step, modest, { tokens: one, connections: GREEDY_CONNECTIONS });
    say(`modest ${line(alone)} alone, ${line(withGreedy!)} beside a greedy one`);

    return {
      peak,
      curve,
      closed,
      closedIgnoring,
      open,
      fairness: { alone, withGreedy: withGreedy! },
      stalled: { ...stalled, connections: STALLED_CONNECTIONS },
    };
  } finally {
    await sender.stop();
  }
}

const line = ({ good, refused, failed, p50, p99, refusalP99 }: GroupResult): string =>
  `${good.toFixed(0)}/s good (${p50.toFixed(1)} / ${p99.toFixed(1)} ms), ${refused.toFixed(0)}/s refused (${refusalP99.toFixed(0)} ms), ${failed.toFixed(0)}/s failed`;

const medianOf = (results: readonly GroupResult[], key: Exclude<keyof GroupResult, 'p99OfSecond'>): number =>
  median(results.map((result) => result[key]));
