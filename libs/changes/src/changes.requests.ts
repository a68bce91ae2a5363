import { type Timestamp, TimestampField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';

/** The query of every feed; each feed extends it with its filters. */
export class ChangesQuery extends PageQuery {
  @TimestampField({
    description:
      'Start of the first page: changes at or after this instant, a timestamp with UTC offset (RFC 3339). If absent, the feed starts ' +
      'with everything that exists. A cursor overrides it.',
    presence: 'if-present',
  })
  since?: Timestamp;
}
