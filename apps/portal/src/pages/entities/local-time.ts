import { Temporal } from 'temporal-polyfill';

/** The API's default time zone. */
export const USUAL_ZONE = 'Europe/Vienna';
/** The time zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The last millisecond before a day begins in the browser's zone, which is what is recorded before it, as a timestamp. What is no day is
 * returned unchanged: the service rejects it.
 *
 * @param later days to add first
 */
export function endOfDayBefore(day: string, later = 0): string {
  try {
    const begins = Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(ownZone());
    return begins.subtract({ milliseconds: 1 }).toString({ timeZoneName: 'never' });
  } catch {
    return day;
  }
}

/**
 * The moments that a local time in a zone means, as RFC 3339 timestamps with the zone's offset: usually one, two in the hour that occurs
 * twice when clocks are turned back, none when they are turned forward past it; `undefined` if either is incomplete or unknown.
 *
 * @param local value of an input of type `datetime-local`
 */
export function momentsAt(local: string, zone: string): readonly string[] | undefined {
  try {
    const time = Temporal.PlainDateTime.from(local);
    const both = (['earlier', 'later'] as const).map((disambiguation) => time.toZonedDateTime(zone, { disambiguation }));
    const moments = both
      .filter((moment) => moment.toPlainDateTime().equals(time))
      .map((moment) => moment.toString({ timeZoneName: 'never' }));
    return [...new Set(moments)];
  } catch {
    return undefined;
  }
}
