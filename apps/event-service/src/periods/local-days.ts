import type { Temporal } from 'temporal-polyfill';
import type { Window } from './period-window.js';

export type LocalDays = ReturnType<typeof localDays>;

/**
 * The local days of a window. A day counts as one however long it is, so days are added up in a unit that divides all of them: sums are
 * exact until they are rounded.
 */
export function localDays({ from, to, timezone }: Window) {
  const starts: bigint[] = [];
  const end = microseconds(to.instant);
  for (let day = from.instant.toZonedDateTimeISO(timezone).toPlainDate(); starts.length < 2 || starts.at(-1)! <= end;) {
    const start = microseconds(day.toZonedDateTime(timezone).toInstant());
    // A day that the zone skipped, such as 30 December 2011 in Samoa, has no length.
    if (start !== starts.at(-1)) starts.push(start);
    day = day.add({ days: 1 });
  }
  const lengths = starts.slice(1).map((start, index) => start - starts[index]!);
  const perDay = [...new Set(lengths)].reduce((multiple, length) => (multiple / greatestDivisor(multiple, length)) * length);
  return {
    /** The first moments of the days up to the end of the window, in microseconds since 1970. */
    starts: starts.slice(0, -1),
    /** Units per microsecond of each day. */
    weights: lengths.map((length) => perDay / length),
    /** Units per day. */
    perDay,
  };
}

const microseconds = ({ epochNanoseconds }: Temporal.Instant): bigint => epochNanoseconds / 1_000n;

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b));
