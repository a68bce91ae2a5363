import { EnumField, Field, type FieldOptions, ReadOnly, TextField, type Timestamp, TimestampField, UuidField } from '@fibre/dto';
import { PageQuery } from '@fibre/pagination';
import { Matches } from 'class-validator';
import { type Center, CenterField } from '../geography/center.js';
import { EXAMPLE_RELATION } from './access-node.examples.js';
import { COLLECTIONS, type Collection } from './access-node.entity.js';

/** Stages of a node (SPEC section 2.1). */
export const TOKENS = ['planned', 'construction', 'operation'];
export const STATUSES = ['active', 'started', 'suspended', 'completed', 'terminated'];
export const DEFAULT_STATUS = 'active';
/** Longest strings, in code points. */
const [MAX_TECHNOLOGY, MAX_REFERENCE, MAX_REGISTER_ID] = [64, 255, 64];

/** ASCII alone: there are letters such as ß whose upper case is two others. */
const upperCase = (sent: unknown): unknown => (typeof sent === 'string' && /^[a-z]{2}$/i.test(sent) ? sent.toUpperCase() : sent);

/** Compared without case. */
export const TechnologyField = (options: FieldOptions): PropertyDecorator => TextField(1, MAX_TECHNOLOGY, options);
const CountryField = (options: FieldOptions): PropertyDecorator =>
  Field(
    { example: 'AT', read: upperCase, ...options },
    { type: String, pattern: '^[A-Za-z]{2}$' },
    Matches(/^[A-Z]{2}$/, { message: 'has to be a country code of two letters (ISO 3166-1)' }),
  );

const REQUIRED = {
  token: 'Stage of the node.',
  center: 'Where the node is: `<latitude>, <longitude>` in decimal degrees (WGS84), at most 10 decimals.',
};
const OPTIONAL = {
  technology: 'Technology, compared without case. Known values: ftth, fttb, fttc, fwa, docsis, dsl.',
  status: 'Status of the node.',
  customer_reference: 'Your own name for the node, unique within tenant, relation and collection.',
  country: 'Country code, ISO 3166-1 alpha-2; either case in, upper case out.',
  address_id: 'Identifier of the address in your register.',
  lot_id: 'Identifier of the plot in your register.',
};

export class NodePath {
  @UuidField({ description: 'The node.' })
  node_id!: string;
}

export class CreateTarget {
  @EnumField(COLLECTIONS, { description: 'Collection the node is created in.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';
}

export class RelationQuery {
  @UuidField({ description: 'The ANO-PIP relation.', example: EXAMPLE_RELATION })
  relation_id!: string;
}

export class BulkDeleteQuery extends RelationQuery {
  @EnumField(COLLECTIONS, { description: 'Collection the nodes are deleted from.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';
}

export class CreateAccessNodeRequest {
  @UuidField({ description: 'The ANO-PIP relation the node belongs to.', example: EXAMPLE_RELATION })
  relation_id!: string;

  @EnumField(TOKENS, { description: REQUIRED.token })
  token!: string;

  @CenterField({ description: REQUIRED.center })
  center!: Center;

  @TechnologyField({ description: OPTIONAL.technology, presence: 'optional', example: 'ftth' })
  technology?: string | null;

  @EnumField(STATUSES, { description: OPTIONAL.status, presence: 'optional', default: DEFAULT_STATUS })
  status?: string | null;

  @TextField(1, MAX_REFERENCE, { description: OPTIONAL.customer_reference, presence: 'optional' })
  customer_reference?: string | null;

  @CountryField({ description: OPTIONAL.country, presence: 'optional' })
  country?: string | null;

  @TextField(1, MAX_REGISTER_ID, { description: OPTIONAL.address_id, presence: 'optional' })
  address_id?: string | null;

  @TextField(1, MAX_REGISTER_ID, { description: OPTIONAL.lot_id, presence: 'optional' })
  lot_id?: string | null;
}

/** A JSON merge patch (RFC 7396): absent members stay, `null` clears an optional one. */
export class UpdateAccessNodeRequest {
  @EnumField(TOKENS, { description: REQUIRED.token, presence: 'if-present' })
  token?: string;

  @CenterField({ description: REQUIRED.center, presence: 'if-present' })
  center?: Center;

  @TechnologyField({ description: OPTIONAL.technology, presence: 'optional', example: 'ftth' })
  technology?: string | null;

  @EnumField(STATUSES, { description: `${OPTIONAL.status} \`null\` brings it back to ${DEFAULT_STATUS}.`, presence: 'optional' })
  status?: string | null;

  @TextField(1, MAX_REFERENCE, { description: OPTIONAL.customer_reference, presence: 'optional' })
  customer_reference?: string | null;

  @CountryField({ description: OPTIONAL.country, presence: 'optional' })
  country?: string | null;

  @TextField(1, MAX_REGISTER_ID, { description: OPTIONAL.address_id, presence: 'optional' })
  address_id?: string | null;

  @TextField(1, MAX_REGISTER_ID, { description: OPTIONAL.lot_id, presence: 'optional' })
  lot_id?: string | null;

  @ReadOnly()
  node_id?: never;

  @ReadOnly()
  relation_id?: never;

  @ReadOnly()
  collection?: never;

  @ReadOnly()
  tenant?: never;

  @ReadOnly()
  created_at?: never;

  @ReadOnly()
  modified_at?: never;
}

export class ListAccessNodesQuery extends PageQuery {
  @EnumField(COLLECTIONS, { description: 'Collection to list.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';

  @UuidField({ description: 'Nodes of this relation.', presence: 'if-present' })
  relation_id?: string;

  @EnumField(TOKENS, { description: 'Nodes in this stage.', presence: 'if-present' })
  token?: string;

  @TechnologyField({ description: 'Nodes of this technology, compared without case.', presence: 'if-present' })
  technology?: string;

  @EnumField(STATUSES, { description: 'Nodes in this status.', presence: 'if-present' })
  status?: string;

  @TextField(1, MAX_REFERENCE, { description: 'Nodes with this customer reference.', presence: 'if-present' })
  customer_reference?: string;

  @TimestampField({
    description:
      'Nodes created or changed at this instant or later: a timestamp with UTC offset (RFC 3339), such as 2026-02-01T16:00:14.305+00:00.',
    presence: 'if-present',
  })
  modified_since?: Timestamp;
}
