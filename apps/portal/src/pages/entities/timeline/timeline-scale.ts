import { Temporal } from 'temporal-polyfill';

interface Distance {
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
  readonly months?: number;
  readonly years?: number;
}
/** Readable distances of ticks, in ascending order. */
const DISTANCES: readonly Distance[] = [
  { minutes: 1 },
  { minutes: 5 },
  { minutes: 15 },
  { hours: 1 },
  { hours: 3 },
  { hours: 6 },
  { hours: 12 },
  { days: 1 },
  { days: 2 },
  { days: 7 },
  { months: 1 },
  { months: 3 },
  { months: 6 },
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map((years) => ({ years })),
];
/** Margin on either side if everything happened at once. */
const LONELY_MS = 12 * 3_600_000;
const MARGIN = 0.02;

/** A time range and its width in pixels. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly x: (milliseconds: number) => number;
}

export interface Tick {
  readonly at: number;
  readonly unit: 'time' | 'day' | 'month' | 'year';
}

/** A scale that contains all moments, with a margin. @param moments milliseconds since 1970 */
export function scaleOf(moments: readonly number[], width: number): Scale {
  const first = moments.reduce((least, one) => Math.min(least, one), Infinity);
  const last = moments.reduce((most, one) => Math.max(most, one), -Infinity);
  const margin = (last - first) * MARGIN || LONELY_MS;
  const [from, to] = [first - margin, last + margin];
  return { from, to, x: (at) => ((at - from) / (to - from)) * width };
}

/** Ticks at round local times of the zone. @param most how many fit */
export function ticksOf({ from, to }: Scale, zone: string, most: number): Tick[] {
  const start = zoned(from, zone);
  for (const distance of DISTANCES) {
    const ticks = walk(start, distance, to, most);
    if (ticks) return ticks.filter(({ at }) => at >= from);
  }
  return [];
}

/** Undefined if there are more than `most`. */
function walk(start: Temporal.ZonedDateTime, distance: Distance, to: number, most: number): Tick[] | undefined {
  const ticks: Tick[] = [];
  const { first, unit } = roundDown(start, distance);
  for (let i = 0; ; i++) {
    // Always counted from the first one, because 31 January plus a month is not 28 February plus a month.
    const at = first.add(Temporal.Duration.from(multiply(distance, i))).epochMilliseconds;
    if (at > to) return ticks;
    ticks.push({ at, unit });
    if (ticks.length > most + 1) return undefined;
  }
}

const multiply = (distance: Distance, times: number): Distance =>
  Object.fromEntries(Object.entries(distance).map(([unit, amount]) => [unit, amount * times]));

const zoned = (milliseconds: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(milliseconds)).toZonedDateTimeISO(zone);

function roundDown(
  time: Temporal.ZonedDateTime,
  { minutes, hours, months, years }: Distance,
): { first: Temporal.ZonedDateTime; unit: Tick['unit'] } {
  if (minutes) return { first: time.round({ smallestUnit: 'minute', roundingIncrement: minutes, roundingMode: 'floor' }), unit: 'time' };
  if (hours) return { first: time.round({ smallestUnit: 'hour', roundingIncrement: hours, roundingMode: 'floor' }), unit: 'time' };
  const day = time.startOfDay();
  if (months) return { first: day.with({ day: 1, month: time.month - ((time.month - 1) % months) }), unit: 'month' };
  if (years) return { first: day.with({ day: 1, month: 1, year: time.year - (((time.year % years) + years) % years) }), unit: 'year' };
  return { first: day, unit: 'day' };
}
