import { formatTimestamp, Timestamp } from '@fibre/dto';
import type { Temporal } from 'temporal-polyfill';
import type { Closing, NewClosing } from './closing.entity.js';

/** Hours by which closings of neighbouring dates can miss each other if a zone has changed its rules, and less than two days. */
const NEAR_HOURS = 26;

/** What a warning needs of the last closing of another window. */
export type Neighbour = Pick<Closing, 'closing_id' | 'from' | 'to'>;

/**
 * What the person who closes a window should know.
 *
 * @param neighbours the last closings of other windows of the same ISP
 */
export function closingWarnings(
  { from, to, sent_from, sent_to }: Pick<NewClosing, 'from' | 'to' | 'sent_from' | 'sent_to'>,
  recordedUntil: Date,
  neighbours: readonly Neighbour[],
): string[] {
  const [begin, end] = [instantOf(from), instantOf(to)];
  const warnings: string[] = [];
  if (end.epochMilliseconds > recordedUntil.getTime())
    warnings.push(
      `The window is not over yet: it ends at ${to}, and only what was recorded until ${formatTimestamp(recordedUntil)} counts.`,
    );
  const others = neighbours.map((one) => ({ ...one, begin: instantOf(one.from), end: instantOf(one.to) }));
  // A timestamp says exactly what is meant; a date depends on the rules of its zone.
  if (isDate(sent_from)) {
    const isCovered = others.some((one) => isBefore(one.begin, begin) && !isBefore(one.end, begin));
    for (const one of others) {
      if (isBefore(one.begin, begin) && isNear(begin, one.end))
        warnings.push(
          `The window begins ${span(begin, one.end)} before the end of closing ${one.closing_id} (${one.to}): that time is charged twice.`,
        );
      else if (!isCovered && isNear(one.end, begin))
        warnings.push(
          `The window begins ${span(one.end, begin)} after the end of closing ${one.closing_id} (${one.to}): that time is left out.`,
        );
    }
  }
  if (isDate(sent_to)) {
    const isCovered = others.some((one) => isBefore(end, one.end) && !isBefore(end, one.begin));
    for (const one of others) {
      if (isBefore(end, one.end) && isNear(one.begin, end))
        warnings.push(
          `The window ends ${span(one.begin, end)} after the start of closing ${one.closing_id} (${one.from}): that time is charged twice.`,
        );
      else if (!isCovered && isNear(end, one.begin))
        warnings.push(
          `The window ends ${span(end, one.begin)} before the start of closing ${one.closing_id} (${one.from}): that time is left out.`,
        );
    }
  }
  return warnings;
}

const isDate = (sent: string): boolean => !sent.includes('T');
const instantOf = (edge: string): Temporal.Instant => Timestamp.parse(edge)!.instant;
const isBefore = (one: Temporal.Instant, other: Temporal.Instant): boolean => one.epochNanoseconds < other.epochNanoseconds;
/** Whether `later` is later, but by less than {@link NEAR_HOURS}. */
const isNear = (earlier: Temporal.Instant, later: Temporal.Instant): boolean =>
  isBefore(earlier, later) && isBefore(later, earlier.add({ hours: NEAR_HOURS }));
/** A duration such as `1 h 30 min`. */
function span(from: Temporal.Instant, to: Temporal.Instant): string {
  const { hours, minutes, seconds } = from.until(to, { largestUnit: 'hours', smallestUnit: 'seconds' });
  return (
    [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`, seconds > 0 && `${seconds} s`].filter(Boolean).join(' ') || 'less than 1 s'
  );
}
