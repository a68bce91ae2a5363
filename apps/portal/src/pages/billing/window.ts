import { monthWindow } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { formatMoment, formatTick } from '../../texts.js';
import { USUAL_ZONE } from '../entities/local-time.js';

/** What is invoiced together, usually a month. */
export interface Window {
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
}

export const thisMonth = (): Temporal.PlainYearMonth => Temporal.Now.plainDateISO(USUAL_ZONE).toPlainYearMonth();

/** The window that a URL names: a month such as `2026-10`, or two instants as ISO 8601 writes an interval; `undefined` for anything else. */
export function windowOf(text: string): Window | undefined {
  const dates = monthWindow(text);
  const begin = (date: string): string => Temporal.PlainDate.from(date).toZonedDateTime(USUAL_ZONE).toInstant().toString();
  if (dates) return { from: begin(dates.from), to: begin(dates.to), timezone: USUAL_ZONE };
  const [from = '', to = ''] = text.split('/');
  return Date.parse(from) < Date.parse(to) ? { from, to, timezone: USUAL_ZONE } : undefined;
}

/** What {@link windowOf} reads. */
export const textOf = (window: Window): string => monthOf(window) ?? `${window.from}/${window.to}`;

export const isSame = (one: Pick<Window, 'from' | 'to'>, other: Pick<Window, 'from' | 'to'>): boolean =>
  Date.parse(one.from) === Date.parse(other.from) && Date.parse(one.to) === Date.parse(other.to);

const monthAt = (at: string): string =>
  Temporal.Instant.from(at).toZonedDateTimeISO(USUAL_ZONE).toPlainDate().toPlainYearMonth().toString();
/** The month in which an instant is. */
export const monthAround = (at: string): Window => windowOf(monthAt(at))!;

/** The month that the window is; `undefined` for any other window. */
export function monthOf(window: Window): string | undefined {
  const month = monthAt(window.from);
  const whole = windowOf(month);
  return whole && isSame(whole, window) ? month : undefined;
}

export function titleOf(window: Window): string {
  const month = monthOf(window);
  if (month !== undefined) return formatTick(new Date(`${month}-15`), 'wholeMonth');
  return `${formatMoment(window.from, window.timezone)} – ${formatMoment(window.to, window.timezone)}`;
}

/** A window or an instant as a part of a file's name: some file systems do not allow colons. */
export const fileName = (window: Window): string => monthOf(window) ?? `${instantInName(window.from)}-${instantInName(window.to)}`;
export const instantInName = (at: string): string => exactly(at).replaceAll(/[-:]/g, '');

/** An instant with the offset of the usual time zone. */
export const exactly = (at: string): string => Temporal.Instant.from(at).toZonedDateTimeISO(USUAL_ZONE).toString({ timeZoneName: 'never' });
