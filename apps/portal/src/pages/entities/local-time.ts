import { Temporal } from 'temporal-polyfill';

/** The API's default time zone. */
export const USUAL_ZONE = 'Europe/Vienna';
/** The time zone of the page. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The moments of a local time: one, two if clocks were turned back, none if they were turned forward. */
export type Reading =
  | { readonly kind: 'moments'; readonly moments: readonly string[] }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'unknown-time' }
  | { readonly kind: 'unknown-zone' };

/**
 * The moments of a local time in a zone, as RFC 3339 with the zone's offset.
 *
 * @param local value of an input of type `datetime-local`
 */
export function readClock(local: string, zone: string): Reading {
  let time: Temporal.PlainDateTime;
  try {
    time = Temporal.PlainDateTime.from(local);
  } catch {
    return { kind: 'unknown-time' };
  }
  let earlier: Temporal.ZonedDateTime;
  try {
    earlier = time.toZonedDateTime(zone, { disambiguation: 'earlier' });
  } catch {
    return { kind: 'unknown-zone' };
  }
  const later = time.toZonedDateTime(zone, { disambiguation: 'later' });
  if (!earlier.toPlainDateTime().equals(time)) return { kind: 'skipped' };
  const both = earlier.equals(later) ? [earlier] : [earlier, later];
  return { kind: 'moments', moments: both.map((moment) => moment.toString({ timeZoneName: 'never' })) };
}

/** Local time of a moment in a zone, for an input of type `datetime-local`, to the millisecond. */
export function clockAt(timestamp: string, zone: string): string {
  const time = Temporal.Instant.from(timestamp)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .round({ smallestUnit: 'millisecond', roundingMode: 'floor' });
  return time.second === 0 && time.millisecond === 0 ? time.toString({ smallestUnit: 'minute' }) : time.toString();
}

/** Whether a text is a timestamp with an offset. */
export function isTimestamp(text: string): boolean {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
}
