import { Field, Satisfies, TextField, Timestamp, TIMESTAMP_PATTERN, TimestampField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import { IntersectionType } from '@nestjs/swagger';
import { MAX_ARTICLE_CODE } from '../event-attributes/sys-attributes.js';
import { type ExportFormat, FormatField } from '../event-lists/event-lists.requests.js';
import { DEFAULT_TIMEZONE, isTimeZone } from '../timeline/event-time.js';
import { isWindowEdge, type WindowEdge, windowFault } from './period-window.js';

const WindowEdgeField = (description: string, example: string, ...validators: PropertyDecorator[]): PropertyDecorator =>
  Field(
    { description, example, read: (sent) => Timestamp.parse(sent) ?? sent },
    { type: String, pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}$|${TIMESTAMP_PATTERN}` },
    Satisfies((value) => (isWindowEdge(value) ? undefined : 'must be a date (YYYY-MM-DD) or a timestamp with UTC offset')),
    ...validators,
  );

/** The window, and the filters of its steps. */
class WindowQuery {
  @WindowEdgeField(
    'Start of the window, inclusive: a timestamp with UTC offset (RFC 3339), or a date, which means midnight in `timezone`.',
    '2026-10-01',
  )
  from!: WindowEdge;

  @WindowEdgeField('End of the window, exclusive, at most 400 days later; the same format as `from`.', '2026-11-01', Satisfies(windowFault))
  to!: WindowEdge;

  @Field(
    { description: 'IANA time zone of the dates.', presence: 'if-present', default: DEFAULT_TIMEZONE },
    { type: String, minLength: 1, maxLength: 64 },
    Satisfies((value) => (isTimeZone(value) ? undefined : 'must be a name from the IANA time zone database, such as Europe/Vienna')),
  )
  timezone: string = DEFAULT_TIMEZONE;

  @UuidField({ description: 'Only steps of this internet service provider.', presence: 'if-present' })
  partner_id?: string;

  @UuidField({ description: 'Only steps of this entity.', presence: 'if-present' })
  entity_id?: string;

  @TextField(1, MAX_ARTICLE_CODE, { description: 'Only steps with this article code.', presence: 'if-present' })
  article_code?: string;

  @TimestampField({
    description:
      'Only events recorded up to this instant count, so the same instant always returns the same response. The default is the latest settled instant, ' +
      'shortly before now; a later one is rejected.',
    presence: 'if-present',
  })
  recorded_until?: Timestamp;
}

export class ListPeriodsQuery extends IntersectionType(PageQuery, WindowQuery) {}

export class ListCorrectionsQuery extends IntersectionType(PageQuery, WindowQuery) {
  @TimestampField({ description: 'The `x-recorded-until` of the invoice, which covers everything recorded up to this instant.' })
  recorded_from!: Timestamp;
}

export class ExportPeriodsQuery extends WindowQuery {
  @FormatField()
  format: ExportFormat = 'csv';
}
