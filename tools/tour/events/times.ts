import { Temporal } from 'temporal-polyfill';

export const TIMEZONE = 'Europe/Vienna';

/** When the events of a visit take place, in Vienna. */
export type Times = Record<'activation' | 'upgrade' | 'between' | 'downgrade' | 'deactivation' | 'maintenance', Temporal.ZonedDateTime>;

/** Counted from today, so that what has happened lies in the past whenever somebody visits. */
export function timesOfVisit(): Times {
  const today = Temporal.Now.plainDateISO(TIMEZONE);
  const at = (days: number, plainTime: string) => today.add({ days }).toZonedDateTime({ timeZone: TIMEZONE, plainTime });
  return {
    activation: at(-90, '10:00'),
    // Half past midnight: in UTC still the day before.
    upgrade: at(-60, '00:30'),
    between: at(-45, '10:00'),
    downgrade: at(-30, '10:00'),
    deactivation: at(-10, '18:00'),
    maintenance: at(14, '03:00'),
  };
}

/** As the API takes it: local time with the offset that Vienna has then, `2026-02-01T16:00:00+01:00`. */
export function eventAt(time: Temporal.ZonedDateTime): string {
  return time.toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

/** As the API returns it: `2026-02-01T15:00:00.000+00:00`. */
export function inUtc(eventAt: string): string {
  return Temporal.Instant.from(eventAt).toString({ smallestUnit: 'millisecond' }).replace('Z', '+00:00');
}

/** What the API returned, for somebody in Vienna. */
export function inVienna(eventAt: string): string {
  return Temporal.Instant.from(eventAt).toZonedDateTimeISO(TIMEZONE).toString({ smallestUnit: 'minute', timeZoneName: 'never' });
}
