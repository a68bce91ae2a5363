import { EnumField, Field, Satisfies, TextField, Timestamp, TIMESTAMP_PATTERN, TimestampField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import type { Type } from '@nestjs/common';
import { MAX_ARTICLE_CODE } from '../event-attributes/sys-attributes.js';
import { DEFAULT_TIMEZONE, isTimeZone } from '../timeline/event-time.js';
import { isWindowEdge, type WindowEdge, windowFault } from './period-window.js';

const WindowEdgeField = (description: string, example: string, ...validators: PropertyDecorator[]): PropertyDecorator =>
  Field(
    { description, example, read: (sent) => Timestamp.parse(sent) ?? sent },
    { type: String, pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}$|${TIMESTAMP_PATTERN}` },
    Satisfies((value) => (isWindowEdge(value) ? undefined : 'has to be a date as YYYY-MM-DD, or a timestamp with UTC offset')),
    ...validators,
  );

/** A query that says which steps, beside what else it says. */
function Windowed<Base extends Type<object>>(base: Base) {
  class WindowedQuery extends base {
    @WindowEdgeField(
      'Where the window begins, inclusive: a timestamp with UTC offset (RFC 3339), or a date, which means midnight in `timezone`.',
      '2026-10-01',
    )
    from!: WindowEdge;

    @WindowEdgeField('Where the window ends, exclusive, at most 400 days later: as `from`.', '2026-11-01', Satisfies(windowFault))
    to!: WindowEdge;

    @Field(
      { description: 'IANA time zone in which dates are meant.', presence: 'if-present', default: DEFAULT_TIMEZONE },
      { type: String, minLength: 1, maxLength: 64 },
      Satisfies((value) =>
        isTimeZone(value) ? undefined : 'has to be the name of a time zone in the IANA database, such as Europe/Vienna',
      ),
    )
    timezone: string = DEFAULT_TIMEZONE;

    @UuidField({ description: 'Steps of subscriptions of this internet service provider.', presence: 'if-present' })
    partner_id?: string;

    @UuidField({ description: 'Steps of this entity.', presence: 'if-present' })
    entity_id?: string;

    @TextField(1, MAX_ARTICLE_CODE, { description: 'Steps that have this article code.', presence: 'if-present' })
    article_code?: string;

    @TimestampField({
      description:
        'Only events that were recorded by this instant count; the same instant always gives the same response. By default what is settled now, ' +
        'which is some seconds ago; a later instant is refused.',
      presence: 'if-present',
    })
    recorded_until?: Timestamp;
  }
  return WindowedQuery;
}

export class ListPeriodsQuery extends Windowed(PageQuery) {}

export class ListCorrectionsQuery extends Windowed(PageQuery) {
  @TimestampField({ description: 'What was charged until now: as recorded by this instant, the `x-recorded-until` of the invoice.' })
  recorded_from!: Timestamp;
}

export const PERIOD_FORMATS = ['csv', 'ndjson'] as const;
export type PeriodFormat = (typeof PERIOD_FORMATS)[number];

export class ExportPeriodsQuery extends Windowed(class {}) {
  @EnumField(PERIOD_FORMATS, { description: 'What the file is.', presence: 'if-present', default: 'csv' })
  format: PeriodFormat = 'csv';
}
