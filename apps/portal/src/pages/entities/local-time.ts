import { Temporal } from 'temporal-polyfill';

/** The API's default time zone. */
export const USUAL_ZONE = 'Europe/Vienna';
/** The time zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What a local time means: one moment, two if clocks were turned back, or the reason why there is none. */
export interface Reading {
  readonly moments: readonly string[];
  readonly fault?: 'skipped' | 'unknownTime' | 'unknownZone';
}

/**
 * The moments that a local time in a zone stands for, as RFC 3339 timestamps with the zone's offset.
 *
 * @param local value of an input of type `datetime-local`
 */
export function readClock(local: string, zone: string): Reading {
  let time: Temporal.PlainDateTime;
  try {
    time = Temporal.PlainDateTime.from(local);
  } catch {
    return { moments: [], fault: 'unknownTime' };
  }
  let earlier: Temporal.ZonedDateTime;
  try {
    earlier = time.toZonedDateTime(zone, { disambiguation: 'earlier' });
  } catch {
    return { moments: [], fault: 'unknownZone' };
  }
  const later = time.toZonedDateTime(zone, { disambiguation: 'later' });
  // Clocks were turned forward past this time.
  if (!earlier.toPlainDateTime().equals(time)) return { moments: [], fault: 'skipped' };
  const both = earlier.equals(later) ? [earlier] : [earlier, later];
  return { moments: both.map((moment) => moment.toString({ timeZoneName: 'never' })) };
}

/**
 * The local time of a timestamp in a zone, for a `datetime-local` input, to the millisecond; `undefined` if the timestamp or the zone is
 * invalid.
 */
export function clockAt(timestamp: string, zone: string): string | undefined {
  try {
    const time = Temporal.Instant.from(timestamp)
      .toZonedDateTimeISO(zone)
      .toPlainDateTime()
      .round({ smallestUnit: 'millisecond', roundingMode: 'floor' });
    return time.second === 0 && time.millisecond === 0 ? time.toString({ smallestUnit: 'minute' }) : time.toString();
  } catch {
    return undefined;
  }
}
