import { timeDay, timeMonth, timeTicks, timeYear } from 'd3-time';

/** Margin on either side if everything happened at the same moment. */
const LONELY_MS = 12 * 3_600_000;
const MARGIN = 0.02;

/** A time range, and the position of each moment in pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly x: (milliseconds: number) => number;
}

/** A scale that contains all moments, with a margin. @param moments milliseconds since 1970 */
export function scaleOf(moments: readonly number[], width: number): Scale {
  const [first, last] = [Math.min(...moments), Math.max(...moments)];
  const margin = (last - first) * MARGIN || LONELY_MS;
  const [from, to] = [first - margin, last + margin];
  return { from, to, x: (at) => ((at - from) / (to - from)) * width };
}

const UNITS = { year: timeYear, month: timeMonth, day: timeDay };

/** Ticks at round local times within the scale, and the coarsest unit that tells them apart. @param most how many ticks fit */
export function ticksOf({ from, to }: Scale, most: number): { ticks: Date[]; unit: keyof typeof UNITS | 'time' } {
  // timeTicks returns up to twice as many ticks as requested.
  const [few, more] = [most / 2, most].map((count) => timeTicks(new Date(from), new Date(to), count));
  const ticks = few!.length < 2 && more!.length <= most + 1 ? more! : few!;
  const [unit] = Object.entries(UNITS).find(([, unit]) => ticks.every((tick) => unit.floor(tick).getTime() === tick.getTime())) ?? ['time'];
  return { ticks, unit: unit as keyof typeof UNITS | 'time' };
}
