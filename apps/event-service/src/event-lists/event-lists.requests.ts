import { AuthorFilter, DateField, EnumField, isCalendarDate, Satisfies, Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { OrderedPageQuery, PageQuery } from '@fibre/pagination';
import { COPY_FORMATS, ExportsFile } from '@fibre/server';
import { IntersectionType } from '@nestjs/swagger';
import { MAX_EARLIER_NOTIFICATIONS } from '../event-functions/append-event.sql.js';
import { EVENT_TYPES, type EventType } from '../timeline/timeline.js';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FormatField = (): PropertyDecorator =>
  EnumField(EXPORT_FORMATS, { description: 'Format of the file.', presence: 'if-present', default: 'csv' });

/** @param headers descriptions of additional headers */
export const ExportsCsvOrNdjson = (headers?: Readonly<Record<string, string>>): MethodDecorator =>
  ExportsFile(
    EXPORT_FORMATS.map((format) => COPY_FORMATS[format]),
    headers,
  );

/** Values of the `token` filter (docs/adr/0009): three independent predicates. */
export const EVENT_TOKENS = ['fresh', 'untouched', 'completed'] as const;
export type EventToken = (typeof EVENT_TOKENS)[number];

/** What is wrong with the end of a date range that begins with `period`, or `undefined`. */
function endFault(end: unknown, { period }: { readonly period?: unknown }): string | undefined {
  if (period === undefined) return 'needs period, the first date of the range';
  return isCalendarDate(period) && (end as string) < period ? 'must not be before period' : undefined;
}

const RECORDED = 'A timestamp with UTC offset (RFC 3339), such as 2026-02-01T16:00:14.305+00:00.';

/** What is wrong with the end of a range of recording times, or `undefined`. */
const recordedFault = (until: unknown, { recorded_from: from }: { readonly recorded_from?: unknown }): string | undefined =>
  until instanceof Timestamp && from instanceof Timestamp && until.instant.epochNanoseconds < from.instant.epochNanoseconds
    ? 'must not be before recorded_from'
    : undefined;

/** The filters of listings and exports (SPEC section 4.2). */
export class EventFilters {
  @DateField({ description: 'Only events that took place on this calendar date in their own `event_timezone`.', presence: 'if-present' })
  period?: string;

  @DateField({ description: 'Last date of a range that begins with `period`, inclusive.', presence: 'if-present' }, Satisfies(endFault))
  period_end?: string;

  @EnumField(EVENT_TOKENS, {
    description:
      '`fresh`: created within the last 24 hours, unless configured otherwise. `untouched`: never overwritten. `completed`: the subscription ' +
      'period has ended with a deactivation at or after the event; a notification is completed once its time has passed.',
    presence: 'if-present',
  })
  token?: EventToken;

  @UuidField({ description: 'Only events of this entity.', presence: 'if-present' })
  entity_id?: string;

  @EnumField(EVENT_TYPES, { description: 'Only events of this type.', presence: 'if-present' })
  event_type?: EventType;

  @UuidField({
    description:
      'Only events of this internet service provider: those of its subscriptions, and notifications that name it. A notification that names ' +
      'none belongs to the subscription whose activation came last before it. An activation only takes over the first ' +
      `${MAX_EARLIER_NOTIFICATIONS.toLocaleString('en')} that were recorded before it.`,
    presence: 'if-present',
  })
  partner_id?: string;

  @TimestampField({ description: `Only events recorded after this instant. ${RECORDED}`, presence: 'if-present' })
  recorded_from?: Timestamp;

  @TimestampField({ description: `Only events recorded up to this instant. ${RECORDED}`, presence: 'if-present' })
  @Satisfies(recordedFault)
  recorded_until?: Timestamp;

  @AuthorFilter('Only events that this person or program recorded, as `created_by` of an event shows it.')
  created_by?: string;

  @AuthorFilter('Only events that this person or program overwrote last, as `modified_by` of an event shows it.')
  modified_by?: string;
}

export class ListEventsQuery extends IntersectionType(OrderedPageQuery, EventFilters) {
  @EnumField(['true', 'false'], {
    description: 'Each event also has its `subscription`: whose line it was at `event_at`, or last before it.',
    presence: 'if-present',
    default: 'false',
  })
  with_subscription: 'true' | 'false' = 'false';
}

export class ListLatestEventsQuery extends IntersectionType(PageQuery, EventFilters) {}

export class ExportEventsQuery extends EventFilters {
  @FormatField()
  format: ExportFormat = 'csv';
}
