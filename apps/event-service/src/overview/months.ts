import type { Temporal } from 'temporal-polyfill';

/** The last months (`YYYY-MM`) up to the one of an instant, oldest first, each with its first moment in the time zone, in UTC. */
export function monthsUntil(now: Temporal.Instant, count: number, timezone: string) {
  const current = now.toZonedDateTimeISO(timezone).toPlainDate().toPlainYearMonth();
  return Array.from({ length: count }, (_, index) => {
    const month = current.subtract({ months: count - 1 - index });
    return { month: month.toString(), start: month.toPlainDate({ day: 1 }).toZonedDateTime(timezone).toInstant().toString() };
  });
}
