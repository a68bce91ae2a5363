import { AUTHORS, CreatedBy, ModifiedBy } from '@fibre/dto';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  COLLECTIONS,
  type Collection,
  type Offer,
  OFFERS,
  PRIVATE_FIELDS,
  STATUSES,
  type Status,
  type Token,
  TOKENS,
} from './access-node.js';

/** A CAN in responses; unset optional fields are omitted. PostgreSQL writes the JSON; see `access-node.sql.ts`. */
export class AccessNodeResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the node, assigned by the service.' })
  node_id!: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The ANO-PIP relation.' })
  relation_id!: string;

  @ApiProperty({ type: String, enum: [...COLLECTIONS], description: 'Production (`nodes`) or pre-production (`prenodes`).' })
  collection!: Collection;

  @ApiProperty({ type: String, enum: [...TOKENS], description: 'Stage of the node.' })
  token!: Token;

  @ApiProperty({ type: String, description: '`<latitude>, <longitude>` in decimal degrees (WGS84).', example: '48.208555, 16.372966' })
  center!: string;

  @ApiProperty({ type: String, enum: [...STATUSES], description: 'Status of the node.' })
  status!: Status;

  @ApiProperty({ type: String, required: false, description: 'Technology, as sent by the client.', example: 'ftth' })
  technology?: string;

  @ApiProperty({ type: String, required: false, description: 'Country code, ISO 3166-1 alpha-2.', example: 'AT' })
  country?: string;

  @ApiProperty({ type: String, required: false, description: 'Identifier of the address in the register of the platform.' })
  address_id?: string;

  @ApiProperty({ type: String, required: false, description: "The address in the owner's words.", example: 'Hauptstraße 12/3, 4020 Linz' })
  address?: string;

  @ApiProperty({ type: String, required: false, description: "Identifier of the plot in the owner's register." })
  lot_id?: string;

  @ApiProperty({ type: String, format: 'date', required: false, description: 'When it can be ordered; already now if absent.' })
  available_from?: string;

  @ApiProperty({ type: 'integer', minimum: 0, required: false, description: 'Number of homes and businesses behind it.' })
  units?: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    required: false,
    description: 'How many of the `units` are connected, so that nobody needs to dig for them any more.',
  })
  units_connected?: number;

  @ApiProperty({ type: Number, minimum: 0, required: false, description: 'Highest download speed on offer, in Mbit/s.' })
  download_mbps?: number;

  @ApiProperty({ type: Number, minimum: 0, required: false, description: 'Highest upload speed on offer, in Mbit/s.' })
  upload_mbps?: number;

  @ApiProperty({ type: String, required: false, description: 'Your own name for the node.' })
  customer_reference?: string;

  @ApiProperty({ type: String, description: 'The operator that owns the node.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was created.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @CreatedBy()
  created_by?: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was last changed.', example: '2026-02-01T16:00:14.305+00:00' })
  modified_at!: string;

  @ModifiedBy()
  modified_by?: string;
}

/** Outcome of an update of several nodes. */
export class UpdatedNodesResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Nodes that were changed.' })
  updated!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Nodes that already had these values.' })
  unchanged!: number;
}

/** Outcome of a deletion of several nodes. */
export class DeletedNodesResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Nodes that were deleted.' })
  deleted!: number;
}

/** The public fields of a production CAN. */
export class PublicNodeResponse extends OmitType(AccessNodeResponse, [...PRIVATE_FIELDS, ...AUTHORS]) {}

/** A production CAN as ISPs find it. */
export class OfferedNodeResponse extends PublicNodeResponse {
  @ApiProperty({
    type: String,
    enum: [...OFFERS],
    required: false,
    description:
      'What you may promise a customer today: a connection `now` (in operation, without a later `available_from`), `from` a date (under ' +
      'construction, or with a later `available_from`), or it is only `planned`. Absent if the node is terminated.',
  })
  offer?: Offer;
}
