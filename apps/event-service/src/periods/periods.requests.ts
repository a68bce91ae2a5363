import { KeyField, Satisfies, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import { IntersectionType } from '@nestjs/swagger';
import { MAX_ARTICLE_CODE } from '../event-attributes/sys-attributes.js';
import { type ExportFormat, FormatField } from '../event-lists/event-lists.requests.js';
import { TimezoneField, type WindowEdge, WindowEdgeField, windowFault } from '../timeline/period-window.js';

type Replacement = 'closing' | 'until_closing';

/** For a parameter that must be absent if a closing takes its place. */
const ReplacedBy = (name: Replacement): PropertyDecorator =>
  Satisfies((value, query: { readonly [name in Replacement]?: unknown }) =>
    value !== undefined && query[name] !== undefined ? `must be absent, because ${name} is given` : undefined,
  );

/** For a parameter that is required unless a closing takes its place. */
const UnlessClosed = Satisfies((value, { closing }: { readonly closing?: unknown }) =>
  value === undefined && closing === undefined ? 'is required unless closing is given' : undefined,
);

/** The window, and the filters of its steps. */
export class WindowQuery {
  @WindowEdgeField(
    {
      description:
        'Start of the window, inclusive: a timestamp with UTC offset (RFC 3339), or a date such as 2026-10-01, which means midnight in `timezone`. ' +
        'Required unless `closing` is given.',
      presence: 'by-rule',
    },
    UnlessClosed,
    ReplacedBy('closing'),
  )
  from?: WindowEdge;

  @WindowEdgeField(
    {
      description: 'End of the window, exclusive, at most 400 days later; the same format as `from`. Required unless `closing` is given.',
      presence: 'by-rule',
    },
    UnlessClosed,
    ReplacedBy('closing'),
    Satisfies(windowFault),
  )
  to?: WindowEdge;

  @TimezoneField('if-present', ReplacedBy('closing'))
  timezone?: string;

  @UuidField({ description: 'Only steps of this entity.', presence: 'if-present' })
  entity_id?: string;

  @KeyField(1, MAX_ARTICLE_CODE, { description: 'Only steps with this article code.', presence: 'if-present' })
  article_code?: string;

  @UuidField({ description: 'Takes the window and its instant from this closing.', presence: 'if-present' })
  closing?: string;
}

const RecordedUntilField = (): PropertyDecorator =>
  TimestampField({
    description:
      'Only events recorded up to this instant count, so the same instant always returns the same response. The default is the latest settled instant, ' +
      'shortly before now; a later one is rejected.',
    presence: 'if-present',
  });

/** What is charged in a window. */
export class ChargedQuery extends WindowQuery {
  @RecordedUntilField()
  @ReplacedBy('closing')
  recorded_until?: Timestamp;
}

/** What has changed in a window. */
export class CorrectedQuery extends WindowQuery {
  @TimestampField({
    description:
      'The `x-recorded-until` of the invoice, which covers everything recorded up to this instant. Required unless `closing` is given: ' +
      'then the changes since that closing are listed.',
    presence: 'by-rule',
  })
  @UnlessClosed
  @ReplacedBy('closing')
  recorded_from?: Timestamp;

  @RecordedUntilField()
  @ReplacedBy('until_closing')
  recorded_until?: Timestamp;

  @UuidField({ description: 'Lists the changes up to this closing of the same window.', presence: 'if-present' })
  until_closing?: string;
}

/** The provider, whom a closing may name. */
class OfPartner {
  @UuidField({ description: 'Only steps of this internet service provider.', presence: 'if-present' })
  @ReplacedBy('closing')
  partner_id?: string;
}

/** The query of lists of steps, and of totals. */
export class ListPeriodsQuery extends IntersectionType(PageQuery, ChargedQuery, OfPartner) {}

export class ListCorrectionsQuery extends IntersectionType(PageQuery, CorrectedQuery, OfPartner) {}

/** The query of files of steps, and of totals. */
export class ExportPeriodsQuery extends IntersectionType(ChargedQuery, OfPartner) {
  @FormatField()
  format: ExportFormat = 'csv';
}
