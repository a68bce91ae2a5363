import { EnumField, Field, isCalendarDate, Satisfies, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import type { Type } from '@nestjs/common';
import { EVENT_TOKENS, type EventToken } from './event-filters.sql.js';

const DateField = (description: string, ...validators: PropertyDecorator[]): PropertyDecorator =>
  Field(
    { description, presence: 'if-present' },
    { type: String, format: 'date' },
    Satisfies((value) => (isCalendarDate(value) ? undefined : 'has to be a date as YYYY-MM-DD')),
    ...validators,
  );

/** The end of a range of dates, beside its beginning. */
function endFault(end: unknown, { period }: { readonly period?: unknown }): string | undefined {
  if (period === undefined) return 'needs period, the date it begins with';
  return isCalendarDate(period) && (end as string) < period ? 'must not be before period' : undefined;
}

/** A query that says which events (SPEC section 4.2), beside what else it says. */
export function FilteredEvents<Base extends Type<object>>(base: Base) {
  class Filtered extends base {
    @DateField('Events that took place on this calendar date, each in its own `event_timezone`.')
    period?: string;

    @DateField('Makes `period` the first of several dates, up to and including this one.', Satisfies(endFault))
    period_end?: string;

    @EnumField(EVENT_TOKENS, {
      description:
        '`fresh`: created within the last hours, 24 unless configured otherwise. `untouched`: never overwritten. `completed`: its subscription ' +
        'period is over, by a deactivation at or after it; a notification once its time has passed.',
      presence: 'if-present',
    })
    token?: EventToken;

    @UuidField({ description: 'Events of this entity.', presence: 'if-present' })
    entity_id?: string;

    @TimestampField({
      description:
        'Events created or overwritten at this instant or later: a timestamp with UTC offset (RFC 3339), such as 2026-02-01T16:00:14.305+00:00.',
      presence: 'if-present',
    })
    modified_since?: Timestamp;
  }
  return Filtered;
}

/** Of both listings. */
export class ListEventsQuery extends FilteredEvents(PageQuery) {}
