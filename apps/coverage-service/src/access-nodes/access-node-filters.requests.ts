import { AuthorFilter, DateField, EnumField, KeyField, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { OrderedPageQuery } from '@fibre/pagination';
import { IntersectionType } from '@nestjs/swagger';
import { COLLECTIONS, type Collection, OFFERS, type Status, STATUSES, type Token, TOKENS } from './access-node.js';
import { AddressIdField, MAX_REFERENCE, TechnologyField } from '../node-rules/node-fields.js';

/** Includes the nodes without a date, which can be ordered already. */
export const AvailableUntilField = (): PropertyDecorator =>
  DateField({
    description: 'Only nodes that can be ordered by this date (YYYY-MM-DD): without `available_from`, or with one that is not later.',
    presence: 'if-present',
  });

/** Nodes that say nothing about it count as not connected, so that each node is in one of the two answers. */
export const ConnectedField = (): PropertyDecorator =>
  EnumField(['true', 'false'], {
    description: 'Only nodes with at least one connected unit (`true`), or with none, or without `units_connected` (`false`).',
    presence: 'if-present',
  });

/** What an ISP may promise. */
export const OfferField = (): PropertyDecorator =>
  EnumField(OFFERS, {
    description:
      'Only nodes that ISPs may promise `now` (in operation, without a later date), `from` a date (under construction, or with a later date), or that are only `planned`.',
    presence: 'if-present',
  });

/** The filters of listings, exports and tiles. */
export class NodeFilters {
  @EnumField(COLLECTIONS, { description: 'Collection to read.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';

  @UuidField({ description: 'Only nodes of this relation.', presence: 'if-present' })
  relation_id?: string;

  @EnumField(TOKENS, { description: 'Only nodes in this stage.', presence: 'if-present' })
  token?: Token;

  @TechnologyField({ description: 'Only nodes with this technology, case-insensitive.', presence: 'if-present' })
  technology?: string;

  @EnumField(STATUSES, { description: 'Only nodes with this status.', presence: 'if-present' })
  status?: Status;

  @KeyField(1, MAX_REFERENCE, { description: 'Only nodes with this customer reference.', presence: 'if-present' })
  customer_reference?: string;

  @AddressIdField({ description: 'Only nodes with this address identifier.', presence: 'if-present' })
  address_id?: string;

  @AvailableUntilField()
  available_until?: string;

  @ConnectedField()
  connected?: 'true' | 'false';

  @TimestampField({
    description:
      'Only nodes created or changed at or after this instant: a timestamp with UTC offset (RFC 3339), such as 2026-02-01T16:00:14.305+00:00.',
    presence: 'if-present',
  })
  modified_since?: Timestamp;

  @AuthorFilter('Only nodes that this person or program created, as `created_by` of a node shows it.')
  created_by?: string;

  @AuthorFilter('Only nodes that this person or program created or changed last, as `modified_by` of a node shows it.')
  modified_by?: string;
}

export class ListAccessNodesQuery extends IntersectionType(OrderedPageQuery, NodeFilters) {}
