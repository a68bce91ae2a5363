import { Field, type FieldOptions, isCalendarDate, precisionFault, Satisfies, Timestamp, TIMESTAMP_PATTERN } from '@fibre/dto';
import { Temporal } from 'temporal-polyfill';
import { DEFAULT_TIMEZONE, isTimeZone } from './event-time.js';

/** Maximum length of a window, in days. */
const MAX_DAYS = 400;

/** Start or end of a window: a timestamp, or a date, which means its first moment in a time zone. */
export type WindowEdge = Timestamp | string;

/** A validated window as a client sends it. */
export interface SentWindow {
  readonly from: WindowEdge;
  readonly to: WindowEdge;
  readonly timezone?: string | null;
}

/** A window as instants; its days are those of a time zone. */
export interface Window {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly timezone: string;
  /** The {@link dayStarts} of a window that was closed: those of the day on which it was closed. */
  readonly closedDays?: readonly string[];
}

/** The header with the release of the zone database that a window was cut with. */
export const WINDOW_RELEASE = 'x-timezone-release';
export const RELEASE = 'Release of the IANA time zone database that the days come from. A closing keeps its own.';

const isWindowEdge = (value: unknown): value is WindowEdge => value instanceof Timestamp || isCalendarDate(value);

/** An edge of a window. It may be absent if that is allowed by another rule. */
export const WindowEdgeField = (options: FieldOptions, ...validators: PropertyDecorator[]): PropertyDecorator =>
  Field(
    { read: (sent) => Timestamp.parse(sent) ?? sent, ...options },
    { type: String, pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}$|${TIMESTAMP_PATTERN}` },
    ...validators,
    Satisfies((value) =>
      value === undefined || isWindowEdge(value)
        ? undefined
        : (precisionFault(value) ?? 'must be a date (YYYY-MM-DD) or a timestamp with UTC offset'),
    ),
  );

export const TimezoneField = (presence: FieldOptions['presence'], ...validators: PropertyDecorator[]): PropertyDecorator =>
  Field(
    { description: 'IANA time zone of the dates.', presence, default: DEFAULT_TIMEZONE },
    { type: String, minLength: 1, maxLength: 64 },
    ...validators,
    Satisfies((value) => (isTimeZone(value) ? undefined : 'must be a name from the IANA time zone database, such as Europe/Vienna')),
  );

/** @returns `undefined` for a date whose first moment is outside the range of timestamps */
export function momentOf(edge: WindowEdge, timezone: string): Timestamp | undefined {
  if (edge instanceof Timestamp) return edge;
  return Timestamp.parse(Temporal.PlainDate.from(edge).toZonedDateTime(timezone).toInstant().toString());
}

/** The instants of a window that has no {@link windowFault}. */
export function windowOf({ from, to, timezone }: SentWindow): Window {
  const zone = timezone ?? DEFAULT_TIMEZONE;
  return { from: momentOf(from, zone)!, to: momentOf(to, zone)!, timezone: zone };
}

/** What is wrong with the end of a window; `undefined` if nothing is, or if a part is invalid on its own. */
export function windowFault(to: unknown, { from, timezone }: { readonly from?: unknown; readonly timezone?: unknown }): string | undefined {
  const zone = timezone ?? DEFAULT_TIMEZONE;
  if (!isTimeZone(zone) || !isWindowEdge(from) || !isWindowEdge(to)) return undefined;
  const [begin, end] = [momentOf(from, zone), momentOf(to, zone)];
  if (!begin || !end) return 'must result in a window within the years 1 to 9999 in UTC';
  if (Temporal.Instant.compare(begin.instant, end.instant) >= 0) return 'must be after the start of the window';
  const latest = begin.instant.toZonedDateTimeISO(zone).add({ days: MAX_DAYS });
  return Temporal.Instant.compare(end.instant, latest.toInstant()) > 0 ? `must be at most ${MAX_DAYS} days after the start` : undefined;
}

/** An edge of a window in the format of responses, six decimals if it has microseconds; {@link Timestamp.parse} reads it. */
export const edgeText = ({ instant }: Timestamp): string =>
  instant.toString({ fractionalSecondDigits: instant.epochNanoseconds % 1_000_000n === 0n ? 3 : 6 }).replace('Z', '+00:00');

/** An edge as it was sent: a date, or an instant in the format of responses. */
export const sentText = (edge: WindowEdge): string => (typeof edge === 'string' ? edge : edgeText(edge));

/** The first moments of the local days of a window, and of the day after its end, in microseconds since 1970. */
export function dayStarts({ from, to, timezone, closedDays }: Window): readonly string[] {
  if (closedDays) return closedDays;
  const starts: bigint[] = [];
  const end = microseconds(to.instant);
  for (
    let day = from.instant.toZonedDateTimeISO(timezone).toPlainDate();
    !starts.length || starts.at(-1)! <= end;
    day = day.add({ days: 1 })
  ) {
    const start = microseconds(day.toZonedDateTime(timezone).toInstant());
    // A day that the zone skipped, such as 30 December 2011 in Samoa, has no length.
    if (start !== starts.at(-1)) starts.push(start);
  }
  return starts.map(String);
}

const microseconds = ({ epochNanoseconds }: Temporal.Instant): bigint => epochNanoseconds / 1_000n;
