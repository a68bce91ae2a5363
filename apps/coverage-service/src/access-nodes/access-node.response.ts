import { type JsonMember, timestampText } from '@fibre/database';
import { ApiProperty } from '@nestjs/swagger';
import { type AccessNode, COLLECTIONS, type Collection } from './access-node.entity.js';
import { STATUSES, TOKENS } from './access-node.requests.js';
import { formatCenter } from '../geography/center.js';

/** A CAN as every answer shows it; optional fields that are not set are left out. */
export class AccessNodeResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'The node; assigned by the service.' })
  node_id!: string;

  @ApiProperty({ type: String, format: 'uuid', description: 'The ANO-PIP relation.' })
  relation_id!: string;

  @ApiProperty({ type: String, enum: [...COLLECTIONS], description: 'Production (`nodes`) or pre-production (`prenodes`).' })
  collection!: Collection;

  @ApiProperty({ type: String, enum: TOKENS, description: 'Stage of the node.' })
  token!: string;

  @ApiProperty({ type: String, description: '`<latitude>, <longitude>` in decimal degrees (WGS84).', example: '48.208555, 16.372966' })
  center!: string;

  @ApiProperty({ type: String, required: false, description: 'Technology, as it was sent.', example: 'ftth' })
  technology?: string;

  @ApiProperty({ type: String, enum: STATUSES, description: 'Status of the node.' })
  status!: string;

  @ApiProperty({ type: String, required: false, description: 'Your own name for the node.' })
  customer_reference?: string;

  @ApiProperty({ type: String, required: false, description: 'Country code, ISO 3166-1 alpha-2.', example: 'AT' })
  country?: string;

  @ApiProperty({ type: String, required: false, description: 'Identifier of the address in the register of its owner.' })
  address_id?: string;

  @ApiProperty({ type: String, required: false, description: 'Identifier of the plot in the register of its owner.' })
  lot_id?: string;

  @ApiProperty({ type: String, description: 'The operator it belongs to.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was created.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was last changed.', example: '2026-02-01T16:00:14.305+00:00' })
  modified_at!: string;
}

/** UTC with milliseconds and numeric offset. */
const timestamp = (date: Date): string => date.toISOString().replace('Z', '+00:00');

/** A single CAN. Members in the order of {@link ACCESS_NODE_MEMBERS}, which says the same in SQL. */
export const toAccessNodeResponse = (node: AccessNode): AccessNodeResponse => ({
  node_id: node.node_id,
  relation_id: node.relation_id,
  collection: node.collection,
  token: node.token,
  center: formatCenter(node),
  ...(node.technology !== null && { technology: node.technology }),
  status: node.status,
  ...(node.customer_reference !== null && { customer_reference: node.customer_reference }),
  ...(node.country !== null && { country: node.country }),
  ...(node.address_id !== null && { address_id: node.address_id }),
  ...(node.lot_id !== null && { lot_id: node.lot_id }),
  tenant: node.tenant,
  created_at: timestamp(node.created_at),
  modified_at: timestamp(node.modified_at),
});

/** The same for the pages, which PostgreSQL writes; `n` is the table. A test holds the two together. */
export const ACCESS_NODE_MEMBERS: readonly JsonMember[] = [
  { name: 'node_id', sql: 'n.node_id', as: 'plain' },
  { name: 'relation_id', sql: 'n.relation_id', as: 'plain' },
  { name: 'collection', sql: 'n.collection', as: 'plain' },
  { name: 'token', sql: 'n.token', as: 'plain' },
  { name: 'center', sql: `n.latitude || ', ' || n.longitude`, as: 'plain' },
  { name: 'technology', sql: 'n.technology', as: 'text', optional: true },
  { name: 'status', sql: 'n.status', as: 'plain' },
  { name: 'customer_reference', sql: 'n.customer_reference', as: 'text', optional: true },
  { name: 'country', sql: 'n.country', as: 'plain', optional: true },
  { name: 'address_id', sql: 'n.address_id', as: 'text', optional: true },
  { name: 'lot_id', sql: 'n.lot_id', as: 'text', optional: true },
  { name: 'tenant', sql: 'n.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('n.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('n.modified_at'), as: 'plain' },
];
