import { Temporal } from 'temporal-polyfill';

export const DEFAULT_TIMEZONE = 'Europe/Vienna';

/** Date, time of day and numeric offset of RFC 3339 section 5.6, up to microseconds. */
const RFC_3339 = /^(?!0000)(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;
const ZONE_NAME = /^[A-Z][A-Za-z0-9_+/-]{1,63}$/;
/** ICU's own zones, which the IANA database does not have. */
const NOT_IANA = /^systemv\//i;
/** What a year of four digits can name, in UTC. */
const [EARLIEST, LATEST] = [Temporal.Instant.from('0001-01-01T00:00:00Z'), Temporal.Instant.from('9999-12-31T23:59:59.999999Z')];

/** When an event took place. */
export interface EventTime {
  readonly instant: Temporal.Instant;
  /** As written, `+00:00` for `Z`. */
  readonly offset: string;
  /** Calendar date as written, `YYYY-MM-DD`. */
  readonly date: string;
}

/**
 * Reads an `event_at`: RFC 3339 with offset, upper-case `T` and `Z`, up to microseconds.
 *
 * @returns `undefined` when it is none: no offset, second 60, the unknown offset `-00:00`, a day that does not exist, a
 *   year that four digits cannot name
 */
export function parseEventTime(text: unknown): EventTime | undefined {
  const match = typeof text === 'string' ? RFC_3339.exec(text) : null;
  const [whole = '', date = '', offset = ''] = match ?? [];
  if (!match || offset === '-00:00' || whole.startsWith('60', 17)) return undefined;
  try {
    const instant = Temporal.Instant.from(whole);
    if (Temporal.Instant.compare(instant, EARLIEST) < 0 || Temporal.Instant.compare(instant, LATEST) > 0) return undefined;
    return { instant, offset: offset === 'Z' ? '+00:00' : offset, date };
  } catch {
    return undefined;
  }
}

/** Names that were found to be good; there are some hundred. */
const known = new Set<string>([DEFAULT_TIMEZONE]);

/**
 * Whether this is a name of the IANA database, links included, in exactly its case. `Temporal` takes names in any case,
 * keeps links as they are, and answers with the case of the database.
 */
export function isTimeZone(name: unknown): name is string {
  if (known.has(name as string)) return true;
  if (typeof name !== 'string' || !ZONE_NAME.test(name) || NOT_IANA.test(name)) return false;
  try {
    if (EARLIEST.toZonedDateTimeISO(name).timeZoneId === name) known.add(name);
    return known.has(name);
  } catch {
    return false;
  }
}

/** The UTC offset of a zone at an instant, `+02:00`; with seconds where a zone had local mean time. */
export const offsetAt = (instant: Temporal.Instant, timeZone: string): string => instant.toZonedDateTimeISO(timeZone).offset;

/** Whether this is a day of the calendar as `YYYY-MM-DD`. */
export function isCalendarDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
