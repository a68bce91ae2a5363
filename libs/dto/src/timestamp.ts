import { Temporal } from 'temporal-polyfill';

/** Date, time of day and UTC offset as in RFC 3339 section 5.6, with at most six decimals. Seconds are required. */
const RFC_3339 = /^(?!0000)(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;
/** The closest approximation that a pattern allows, for the OpenAPI documents. */
export const TIMESTAMP_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';
/** The range of four-digit years, in UTC. */
const [EARLIEST, LATEST] = [Temporal.Instant.from('0001-01-01T00:00:00Z'), Temporal.Instant.from('9999-12-31T23:59:59.999999Z')];

/** A timestamp as a client wrote it. */
export class Timestamp {
  private constructor(
    readonly instant: Temporal.Instant,
    /** Numeric offset as written; `+00:00` for `Z`. */
    readonly offset: string,
    /** Calendar date as written, `YYYY-MM-DD`. */
    readonly date: string,
  ) {}

  /**
   * Parses a timestamp with UTC offset (RFC 3339) and upper-case `T` and `Z`.
   *
   * @returns `undefined` if it is invalid: no offset, second 60, the unknown offset `-00:00`, a day that does not exist, a year with more
   *   than four digits in UTC
   */
  static parse(text: unknown): Timestamp | undefined {
    const match = typeof text === 'string' ? RFC_3339.exec(text) : null;
    const [whole = '', date = '', offset = ''] = match ?? [];
    if (!match || offset === '-00:00' || whole.startsWith('60', 17)) return undefined;
    try {
      const instant = Temporal.Instant.from(whole);
      if (Temporal.Instant.compare(instant, EARLIEST) < 0 || Temporal.Instant.compare(instant, LATEST) > 0) return undefined;
      return new Timestamp(instant, offset === 'Z' ? '+00:00' : offset, date);
    } catch {
      return undefined;
    }
  }

  /** The instant in UTC, one format for all offsets: PostgreSQL does not accept every offset that RFC 3339 allows. */
  get utc(): string {
    return this.instant.toString();
  }

  /** Whether this timestamp is later than `moment`, to the microsecond. */
  isAfter(moment: Date): boolean {
    return this.instant.epochNanoseconds > BigInt(moment.getTime()) * 1_000_000n;
  }

  toJSON(): string {
    return this.utc;
  }
}

/** A moment in the APIs' format: UTC, milliseconds, numeric offset. */
export const formatTimestamp = (moment: Date): string => moment.toISOString().replace('Z', '+00:00');

/** Whether the text is a day that exists, as `YYYY-MM-DD`. */
export function isCalendarDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
