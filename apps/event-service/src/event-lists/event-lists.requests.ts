import { Check, EnumField, Field, UuidField } from '@fibre/dto';
import { type Offence, OFFENCES } from '@fibre/validation';
import { PageQuery } from '@fibre/pagination';
import { isCalendarDate } from '../events/event-time.js';
import { EVENT_TOKENS, type EventToken } from './event-filters.sql.js';

const DateField = (description: string): PropertyDecorator =>
  Field(
    { description, presence: 'if-present' },
    { type: String, format: 'date' },
    Check((value) => (isCalendarDate(value) ? undefined : 'has to be a date as YYYY-MM-DD')),
  );

/** Filters of both listings (SPEC section 4.2). */
export class ListEventsQuery extends PageQuery {
  @DateField('Events that took place on this calendar date, each in its own `event_timezone`.')
  period?: string;

  @DateField('Makes `period` the first of several dates, up to and including this one.')
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

  [OFFENCES](): Offence[] {
    if (this.period_end === undefined) return [];
    const path = ['period_end'];
    if (this.period === undefined) return [{ path, detail: 'needs period, the date it begins with' }];
    const comparable = isCalendarDate(this.period) && isCalendarDate(this.period_end);
    return comparable && this.period_end < this.period ? [{ path, detail: 'must not be before period' }] : [];
  }
}
