import { Temporal } from 'temporal-polyfill';

/** Where the portal's people and their networks usually are; the API takes the same one. */
export const USUAL_ZONE = 'Europe/Vienna';
/** The time zone that the page shows moments in. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What a clock of a time zone showed: at one moment, at two when it was turned back, at none when it was turned forward. */
export type Reading =
  | { readonly kind: 'moments'; readonly moments: readonly string[] }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'unknown-time' }
  | { readonly kind: 'unknown-zone' };

/**
 * The moments at which the clocks of a zone show a time, as RFC 3339 with the offset that the zone has then.
 *
 * @param local as an input of type `datetime-local` gives it
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

/** What the clocks of a zone show at a moment, for an input of type `datetime-local`, which knows milliseconds at most. */
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
