import { ApiProperty } from '@nestjs/swagger';
import { type Center, formatCenter } from '../geography/center.js';
import type { AccessNode } from './access-node.entity.js';
import {
  COLLECTIONS,
  type Collection,
  OPTIONAL_FIELDS,
  type OptionalField,
  STATUSES,
  type Status,
  type Token,
  TOKENS,
} from './access-node.js';

/** A CAN as every answer shows it; optional fields that are not set are left out. */
export class AccessNodeResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The node; assigned by the service.' })
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

  @ApiProperty({ type: String, required: false, description: 'Technology, as it was sent.', example: 'ftth' })
  technology?: string;

  @ApiProperty({ type: String, required: false, description: 'Country code, ISO 3166-1 alpha-2.', example: 'AT' })
  country?: string;

  @ApiProperty({ type: String, required: false, description: 'Identifier of the address in the register of its owner.' })
  address_id?: string;

  @ApiProperty({ type: String, required: false, description: 'Identifier of the plot in the register of its owner.' })
  lot_id?: string;

  @ApiProperty({ type: String, required: false, description: 'Your own name for the node.' })
  customer_reference?: string;

  @ApiProperty({ type: String, description: 'The operator it belongs to.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was created.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was last changed.', example: '2026-02-01T16:00:14.305+00:00' })
  modified_at!: string;
}

/** UTC with milliseconds and numeric offset. */
export const timestamp = (date: Date): string => date.toISOString().replace('Z', '+00:00');

/** A single node. PostgreSQL writes those of pages, see `access-node.sql.ts`. */
export const toAccessNodeResponse = (node: AccessNode): AccessNodeResponse =>
  membersOf({ ...node, created_at: timestamp(node.created_at), modified_at: timestamp(node.modified_at) }, OPTIONAL_FIELDS);

type Shown<Field extends OptionalField> = Omit<AccessNodeResponse, 'center' | OptionalField> & Center & Record<Field, string | null>;

/** The members that show a node, `fields` being the optional ones that may be among them. */
export const membersOf = <Field extends OptionalField>(node: Shown<Field>, fields: readonly Field[]): AccessNodeResponse => ({
  node_id: node.node_id,
  relation_id: node.relation_id,
  collection: node.collection,
  token: node.token,
  center: formatCenter(node),
  status: node.status,
  ...Object.fromEntries(fields.filter((field) => node[field] !== null).map((field) => [field, node[field]])),
  tenant: node.tenant,
  created_at: node.created_at,
  modified_at: node.modified_at,
});
