import { Temporal } from 'temporal-polyfill';

interface Distance {
  readonly minutes?: number;
  readonly hours?: number;
  readonly days?: number;
  readonly months?: number;
  readonly years?: number;
}
/** Distances of ticks that people can read a time from, ever wider. */
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
/** Of a drawing in which everything happened at once, on either side. */
const LONELY_MS = 12 * 3_600_000;
const MARGIN = 0.02;

/** A part of time, and how wide it is drawn. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly x: (milliseconds: number) => number;
}

export interface Tick {
  readonly at: number;
  readonly unit: 'time' | 'day' | 'month' | 'year';
}

/** A scale in which all of the moments lie, with a margin. @param moments milliseconds since 1970 */
export function scaleOf(moments: readonly number[], width: number): Scale {
  const first = moments.reduce((least, one) => Math.min(least, one), Infinity);
  const last = moments.reduce((most, one) => Math.max(most, one), -Infinity);
  const margin = (last - first) * MARGIN || LONELY_MS;
  const [from, to] = [first - margin, last + margin];
  return { from, to, x: (at) => ((at - from) / (to - from)) * width };
}

/** Ticks where the clocks of the zone show something round. @param most how many there is room for */
export function ticksOf({ from, to }: Scale, zone: string, most: number): Tick[] {
  const start = zoned(from, zone);
  for (const distance of DISTANCES) {
    const ticks = walk(start, distance, to, most);
    if (ticks) return ticks.filter(({ at }) => at >= from);
  }
  return [];
}

/** Undefined when there are more than `most`. */
function walk(start: Temporal.ZonedDateTime, distance: Distance, to: number, most: number): Tick[] | undefined {
  const ticks: Tick[] = [];
  const { first, unit } = roundDown(start, distance);
  for (let i = 0; ; i++) {
    // From the first one each time: a month after 31 January is none after 28 February.
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
