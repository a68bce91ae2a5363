import { isCalendarDate, Timestamp } from '@fibre/dto';
import { Temporal } from 'temporal-polyfill';
import { isTimeZone } from '../timeline/event-time.js';

/** Maximum length of a window, in days. */
const MAX_DAYS = 400;

/** Start or end of a window: a timestamp, or a date, which means its first moment in a time zone. */
export type WindowEdge = Timestamp | string;

export const isWindowEdge = (value: unknown): value is WindowEdge => value instanceof Timestamp || isCalendarDate(value);

/** @returns `undefined` for a date whose first moment is outside the range of timestamps */
export function momentOf(edge: WindowEdge, timezone: string): Timestamp | undefined {
  if (edge instanceof Timestamp) return edge;
  return Timestamp.parse(Temporal.PlainDate.from(edge).toZonedDateTime(timezone).toInstant().toString());
}

/** What is wrong with the end of a window; `undefined` if nothing is, or if a part is invalid on its own. */
export function windowFault(to: unknown, { from, timezone }: { readonly from?: unknown; readonly timezone?: unknown }): string | undefined {
  if (!isTimeZone(timezone) || !isWindowEdge(from) || !isWindowEdge(to)) return undefined;
  const [begin, end] = [momentOf(from, timezone), momentOf(to, timezone)];
  if (!begin || !end) return 'must result in a window within the years 1 to 9999 in UTC';
  if (Temporal.Instant.compare(begin.instant, end.instant) >= 0) return 'must be after the start of the window';
  const latest = begin.instant.toZonedDateTimeISO(timezone).add({ days: MAX_DAYS });
  return Temporal.Instant.compare(end.instant, latest.toInstant()) > 0 ? `must be at most ${MAX_DAYS} days after the start` : undefined;
}
