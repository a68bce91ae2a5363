import { Temporal } from 'temporal-polyfill';

/** Local days between two moments. A day counts as one however long it is, as in the service's totals. */
export const daysBetween = (from: string, to: string, timezone: string): number => placeOf(to, timezone) - placeOf(from, timezone);

const EPOCH = new Temporal.PlainDate(1970, 1, 1);

/** Days since 1970, with the part of the day that has passed. */
function placeOf(at: string, timezone: string): number {
  const moment = Temporal.Instant.from(at).toZonedDateTimeISO(timezone);
  const passed = moment.startOfDay().until(moment).total('nanoseconds') / 3.6e12;
  return EPOCH.until(moment.toPlainDate()).days + passed / moment.hoursInDay;
}

/** Days as they are shown and charged. */
export const rounded = (days: number): number => Math.round(days * 100) / 100;
