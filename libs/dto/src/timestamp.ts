import { Temporal } from 'temporal-polyfill';

/** Date, time of day and numeric offset of RFC 3339 section 5.6, up to microseconds. Seconds may not be left out. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;

/** In UTC; other years have no four digits. */
const [FIRST, LAST] = [Temporal.Instant.from('0001-01-01T00:00:00Z'), Temporal.Instant.from('9999-12-31T23:59:59.999999Z')];

/**
 * Reads a timestamp with UTC offset (RFC 3339), upper-case `T` and `Z`.
 *
 * @returns `undefined` when it is none: no offset, second 60, the unknown offset `-00:00`, a day that does not exist,
 *   a year before 1 or after 9999
 */
export function parseTimestamp(text: unknown): Temporal.Instant | undefined {
  if (typeof text !== 'string' || !RFC_3339.test(text) || text.endsWith('-00:00') || /:60(\.|Z|[+-])/.test(text)) return undefined;
  try {
    const instant = Temporal.Instant.from(text);
    const within = Temporal.Instant.compare(instant, FIRST) >= 0 && Temporal.Instant.compare(instant, LAST) <= 0;
    return within ? instant : undefined;
  } catch {
    return undefined;
  }
}
