import { Temporal } from 'temporal-polyfill';

export const DEFAULT_TIMEZONE = 'Europe/Vienna';

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);
const ZONE_NAME = /^[A-Z][A-Za-z0-9_+/-]{1,63}$/;
/** Zones in ICU that are not, or no longer, in the IANA database. Which of them a release of Node.js still accepts differs. */
const NOT_IANA = /^(systemv\/.*|us\/pacific-new|canada\/east-saskatchewan)$/i;
/** Valid names seen so far; there are a few hundred. */
const knownZones = new Set<string>([DEFAULT_TIMEZONE]);

/**
 * Whether this is a name from the IANA database (including links) in its exact case. `Temporal` accepts any case, keeps links, and returns
 * the name as the database spells it.
 */
export function isTimeZone(name: unknown): name is string {
  if (knownZones.has(name as string)) return true;
  if (typeof name !== 'string' || !ZONE_NAME.test(name) || NOT_IANA.test(name)) return false;
  try {
    if (EPOCH.toZonedDateTimeISO(name).timeZoneId === name) knownZones.add(name);
    return knownZones.has(name);
  } catch {
    return false;
  }
}

/** The UTC offset of a zone at an instant, such as `+02:00`; with seconds if the zone used local mean time then. */
export const offsetAt = (instant: Temporal.Instant, timeZone: string): string => instant.toZonedDateTimeISO(timeZone).offset;
