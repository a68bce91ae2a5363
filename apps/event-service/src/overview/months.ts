import type { Temporal } from 'temporal-polyfill';

/** A calendar month. */
export interface Month {
  /** `YYYY-MM`. */
  readonly month: string;
  /** Its first moment in the time zone, in UTC. */
  readonly start: string;
}

/** The last months up to the one of an instant, oldest first. */
export function monthsUntil(now: Temporal.Instant, count: number, timezone: string): Month[] {
  const current = now.toZonedDateTimeISO(timezone).toPlainDate().toPlainYearMonth();
  return Array.from({ length: count }, (_, index) => {
    const month = current.subtract({ months: count - 1 - index });
    return { month: month.toString(), start: month.toPlainDate({ day: 1 }).toZonedDateTime(timezone).toInstant().toString() };
  });
}
