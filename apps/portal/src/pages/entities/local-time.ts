import { Temporal } from 'temporal-polyfill';

/** The API's default time zone. */
export const USUAL_ZONE = 'Europe/Vienna';
/** The time zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The moment that a local time in a zone means, as an RFC 3339 timestamp with the zone's offset; `undefined` if either is incomplete or
 * unknown. Of an hour that occurs twice, it is the first; a time that the clocks skip means as much after the hour that begins then.
 *
 * @param local value of an input of type `datetime-local`
 */
export function momentAt(local: string, zone: string): string | undefined {
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toString({ timeZoneName: 'never' });
  } catch {
    return undefined;
  }
}
