import { Temporal } from 'temporal-polyfill';

/** The release of the IANA time zone database that this process uses, such as `2026c`: that of Node.js, or of `ICU_TIMEZONE_FILES_DIR`. */
export const TIME_ZONE_RELEASE = process.versions.tz ?? 'unknown';

/** Date, time of day and UTC offset as in RFC 3339 section 5.6. Seconds are required. */
const RFC_3339 = /^(?!0000)(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;
/** The closest approximation that a pattern allows, for the OpenAPI documents. */
export const TIMESTAMP_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6}0*)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';
/** Decimals of a second that are kept. */
const DECIMALS = 6;
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
   * Parses a timestamp with UTC offset (RFC 3339) and upper-case `T` and `Z`. C#, Go and Java write seven or nine decimals; zeros after the
   * sixth do not change the value.
   *
   * @returns `undefined` if it is invalid: no offset, second 60, the unknown offset `-00:00`, a day that does not exist, a year with more
   *   than four digits in UTC, more precise than a microsecond
   */
  static parse(text: unknown): Timestamp | undefined {
    const match = typeof text === 'string' ? RFC_3339.exec(text) : null;
    const [whole = '', date = '', time = '', decimals = '0', offset = ''] = match ?? [];
    if (!match || offset === '-00:00' || whole.startsWith('60', 17) || isTooPrecise(decimals)) return undefined;
    try {
      const instant = Temporal.Instant.from(`${date}${time}.${decimals.slice(0, DECIMALS)}${offset}`);
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

const isTooPrecise = (decimals: string): boolean => /[1-9]/.test(decimals.slice(DECIMALS));

/** What is wrong with a text that would be a timestamp if it were less precise, and what to do; otherwise `undefined`. */
export function precisionFault(text: unknown): string | undefined {
  const decimals = typeof text === 'string' ? RFC_3339.exec(text)?.[3] : undefined;
  if (decimals === undefined || !isTooPrecise(decimals)) return undefined;
  return `has ${decimals.length} decimals, of which at most ${DECIMALS} are kept; truncate to microseconds`;
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
