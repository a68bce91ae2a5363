import { DateField, EnumField, Field, IntegerField, KeyField, listOf, ReadOnly, Satisfies, toLowerCase, UuidField } from '@fibre/dto';
import { OmitType } from '@nestjs/swagger';
import { isUUID, ValidateNested } from 'class-validator';
import { type Center, CenterField } from '../geography/center.js';
import {
  AddressIdField,
  CountryField,
  MAX_REFERENCE,
  MAX_REGISTER_ID,
  PublicTextField,
  SpeedField,
  TechnologyField,
} from '../node-rules/node-fields.js';
import {
  COLLECTIONS,
  type Collection,
  DEFAULT_STATUS,
  EXAMPLE_RELATION,
  type Status,
  STATUSES,
  type Token,
  TOKENS,
} from './access-node.js';

const MAX_ADDRESS = 255;
const MAX_UNITS = 10_000;
/** Number of nodes that one request may update. */
const MAX_NAMED = 1_000;

const TOKEN = 'Stage of the node.';
const CENTER = 'Where the node is: `<latitude>, <longitude>` in decimal degrees (WGS84), at most 10 decimals.';
const STATUS = 'Status of the node.';

export class NodePath {
  @UuidField({ description: 'The node.' })
  node_id!: string;
}

export class CreateTarget {
  @EnumField(COLLECTIONS, { description: 'Collection to create the node in.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';
}

class OptionalFieldsRequest {
  @TechnologyField({
    description: 'Technology, case-insensitive. Known values: ftth, fttb, fttc, fwa, docsis, dsl.',
    presence: 'optional',
    example: 'ftth',
  })
  technology?: string | null;

  @KeyField(1, MAX_REFERENCE, {
    description: 'Your own name for the node, unique within its tenant, relation and collection.',
    presence: 'optional',
  })
  customer_reference?: string | null;

  @CountryField({ description: 'Country code (ISO 3166-1 alpha-2); either case, converted to upper case.', presence: 'optional' })
  country?: string | null;

  @AddressIdField({
    description: 'Identifier of the address in the register of the platform (UPRN, ADRCD, LOC ...), by which ISPs search.',
    presence: 'optional',
  })
  address_id?: string | null;

  @PublicTextField(MAX_ADDRESS, {
    description: 'The address in your words, in one line, for people to read.',
    presence: 'optional',
    example: 'Hauptstraße 12/3, 4020 Linz',
  })
  address?: string | null;

  @PublicTextField(MAX_REGISTER_ID, { description: 'Identifier of the plot in your register.', presence: 'optional' })
  lot_id?: string | null;

  @DateField({
    description: 'When the node can be ordered (YYYY-MM-DD); already now if absent.',
    presence: 'optional',
    example: '2027-03-01',
  })
  available_from?: string | null;

  @IntegerField(0, MAX_UNITS, { description: 'Number of homes and businesses behind the node.', presence: 'optional', example: 4 })
  units?: number | null;

  @IntegerField(0, MAX_UNITS, {
    description:
      'How many of the `units` are connected, so that nobody needs to dig for them any more. Needs `units`, and is at most `units`.',
    presence: 'optional',
    example: 2,
  })
  units_connected?: number | null;

  @SpeedField('download')
  download_mbps?: number | null;

  @SpeedField('upload')
  upload_mbps?: number | null;
}

export class CreateAccessNodeRequest extends OptionalFieldsRequest {
  @UuidField({
    description: 'The ANO-PIP relation of the node. You must have created it if the service requires registered relations.',
    example: EXAMPLE_RELATION,
  })
  relation_id!: string;

  @EnumField(TOKENS, { description: TOKEN })
  token!: Token;

  @CenterField({ description: CENTER })
  center!: Center;

  @EnumField(STATUSES, { description: STATUS, presence: 'optional', default: DEFAULT_STATUS })
  status?: Status | null;
}

/** A JSON merge patch (RFC 7396): absent members keep their value, and `null` clears an optional one. */
@ReadOnly('node_id', 'relation_id', 'collection', 'tenant', 'created_at', 'created_by', 'modified_at', 'modified_by')
export class UpdateAccessNodeRequest extends OptionalFieldsRequest {
  @EnumField(TOKENS, { description: TOKEN, presence: 'if-present' })
  token?: Token;

  @CenterField({ description: CENTER, presence: 'if-present' })
  center?: Center;

  @EnumField(STATUSES, { description: `${STATUS} \`null\` resets it to ${DEFAULT_STATUS}.`, presence: 'optional' })
  status?: Status | null;
}

/** A JSON merge patch of several nodes, which cannot share a place or a reference. */
class NodesChanges extends OmitType(UpdateAccessNodeRequest, ['center', 'customer_reference']) {}

class NamedNodes {
  @Field(
    {
      description: 'The nodes, in either collection. An id that is repeated counts once.',
      read: (sent) => (Array.isArray(sent) ? sent.map(toLowerCase) : sent),
    },
    { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: MAX_NAMED },
    Satisfies(listOf(1, MAX_NAMED, 'UUIDs', (id) => (isUUID(id, 'loose') ? undefined : 'must be a UUID'))),
  )
  node_ids!: string[];
}

export class DeleteAccessNodesByIdsRequest extends NamedNodes {}

export class UpdateAccessNodesRequest extends NamedNodes {
  @Field(
    { description: 'A JSON merge patch (RFC 7396) of each node.', nested: () => NodesChanges },
    { type: NodesChanges },
    Satisfies((value) => (value instanceof NodesChanges ? undefined : 'must be an object')),
    ValidateNested(),
  )
  set!: NodesChanges;
}

export class DryRunQuery {
  @EnumField(['true', 'false'], {
    description: 'Checks and counts everything, but changes nothing.',
    presence: 'if-present',
    default: 'false',
  })
  dry_run: 'true' | 'false' = 'false';
}
