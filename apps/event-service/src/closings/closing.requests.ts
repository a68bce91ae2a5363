import { KeyField, Satisfies, TextField, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { OrderedPageQuery } from '@fibre/pagination';
import { IntersectionType } from '@nestjs/swagger';
import { NamespaceHeader } from '../namespaces/namespace.requests.js';
import { TimezoneField, type WindowEdge, WindowEdgeField, windowFault } from '../timeline/period-window.js';

/** Maximum lengths in code points. */
const MAX_REFERENCE = 255;
const MAX_COMMENT = 4_000;

export class ClosingPath {
  @UuidField({ description: 'The closing.' })
  closing_id!: string;
}

class IdempotencyKey {
  @TextField(1, 255, {
    description: 'Your key for this closing. Repeating the key and body within 24 hours returns the first response and creates nothing.',
    presence: 'if-present',
  })
  'idempotency-key'?: string;
}
export class CreateClosingHeaders extends IntersectionType(NamespaceHeader, IdempotencyKey) {}

export class CreateClosingRequest {
  @WindowEdgeField({
    description: 'Start of the window, inclusive: a timestamp with UTC offset (RFC 3339), or a date, which means midnight in `timezone`.',
    example: '2026-10-01',
  })
  from!: WindowEdge;

  @WindowEdgeField(
    { description: 'End of the window, exclusive, at most 400 days later; the same format as `from`.', example: '2026-11-01' },
    Satisfies(windowFault),
  )
  to!: WindowEdge;

  @TimezoneField('optional')
  timezone?: string | null;

  @UuidField({ description: 'The internet service provider that was invoiced; all of them if absent.', presence: 'optional' })
  partner_id?: string | null;

  @TimestampField({
    description:
      'What was reviewed: the `x-recorded-until` of the periods or totals that a person has seen. Only events recorded up to this instant ' +
      'count. If absent, everything that is settled now; a later instant is rejected.',
    presence: 'optional',
  })
  recorded_until?: Timestamp | null;

  @KeyField(1, MAX_REFERENCE, { description: 'Your own reference, such as the number of the invoice.', presence: 'optional' })
  reference?: string | null;

  @TextField(1, MAX_COMMENT, { description: 'Your own comment.', presence: 'optional' })
  comment?: string | null;
}

export class ListClosingsQuery extends OrderedPageQuery {
  @UuidField({ description: 'Only closings that cover this internet service provider and no other.', presence: 'if-present' })
  partner_id?: string;

  @WindowEdgeField({ description: 'Only closings whose window begins at this date or timestamp.', presence: 'if-present' })
  from?: WindowEdge;

  @WindowEdgeField({ description: 'Only closings whose window ends at this date or timestamp.', presence: 'if-present' })
  to?: WindowEdge;

  @TimezoneField('if-present')
  timezone?: string;
}

export const CREATE_EXAMPLES = {
  month: { summary: 'a month, of all ISPs', value: { from: '2026-10-01', to: '2026-11-01', reference: 'INV-2026-10' } },
};
