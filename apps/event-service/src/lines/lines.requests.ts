import { KeyField, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import { IntersectionType } from '@nestjs/swagger';
import { OfOperatorQuery } from '../charges/charges.requests.js';
import { MAX_ARTICLE_CODE, MAX_REFERENCE } from '../event-attributes/sys-attributes.js';
import { type ExportFormat, FormatField } from '../event-lists/event-lists.requests.js';

/** The instant and the filters of lists and files of lines. */
class LineFilters extends OfOperatorQuery {
  @TimestampField({
    description:
      'Lines as of this instant, a timestamp with UTC offset (RFC 3339): events with a later `event_at` do not count. The default is the latest ' +
      'settled instant, shortly before now; a later one is rejected.',
    presence: 'if-present',
  })
  at?: Timestamp;

  @UuidField({ description: 'Only the line of this entity.', presence: 'if-present' })
  entity_id?: string;

  @UuidField({ description: 'Only lines of the ISP with this id, which an operator assigned to you.', presence: 'if-present' })
  partner_id?: string;

  @KeyField(1, MAX_ARTICLE_CODE, { description: 'Only lines with this article code.', presence: 'if-present' })
  article_code?: string;

  @KeyField(1, MAX_REFERENCE, { description: 'Only lines with exactly this circuit.', presence: 'if-present' })
  option82?: string;

  @KeyField(1, MAX_REFERENCE, { description: 'Only lines with exactly this reference of yours.', presence: 'if-present' })
  partner_reference?: string;
}

export class ListLinesQuery extends IntersectionType(PageQuery, LineFilters) {}

export class ExportLinesQuery extends LineFilters {
  @FormatField()
  format: ExportFormat = 'csv';
}
