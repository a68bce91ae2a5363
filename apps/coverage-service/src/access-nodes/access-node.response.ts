import { ApiProperty } from '@nestjs/swagger';
import { COLLECTIONS, type Collection, STATUSES, type Status, type Token, TOKENS } from './access-node.js';

/** A CAN as every answer shows it; optional fields that are not set are left out. PostgreSQL writes it, see `access-node.sql.ts`. */
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
