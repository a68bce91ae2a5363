import { CreatedBy, formatTimestamp, ModifiedBy, withoutUnset } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';
import type { Relation } from './relation.entity.js';

/** A relation in responses; unset optional fields are omitted. */
export class RelationResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the relation, assigned by the service.' })
  relation_id!: string;

  @ApiProperty({ type: String, description: 'Your name for the relation.', example: 'Innere Stadt' })
  name!: string;

  @ApiProperty({ type: String, description: 'The infrastructure provider (PIP).', example: 'Stadtnetz Wien' })
  pip!: string;

  @ApiProperty({ type: String, required: false, description: 'Your own notes.' })
  comment?: string;

  @ApiProperty({ type: String, required: false, description: 'The operator (ANO), under the name that ISPs know.' })
  operator?: string;

  @ApiProperty({ type: String, required: false, description: 'Person or team to contact.' })
  contact_name?: string;

  @ApiProperty({ type: String, required: false, description: 'Email address of the contact.' })
  contact_email?: string;

  @ApiProperty({ type: String, required: false, description: 'Phone number of the contact.' })
  contact_phone?: string;

  @ApiProperty({ type: String, required: false, description: 'Page on which an ISP can order.', example: 'https://ano.example/order' })
  order_url?: string;

  @ApiProperty({ type: String, description: 'The operator that owns the relation.' })
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

/** A relation as returned when it is read on its own. */
export class CountedRelationResponse extends RelationResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of its nodes in pre-production: exact up to 100,000, estimated above.' })
  prenodes!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of its nodes in production: exact up to 100,000, estimated above.' })
  nodes!: number;
}

export const toRelationResponse = ({
  version: _,
  tenant,
  created_at,
  created_by,
  modified_at,
  modified_by,
  ...fields
}: Relation): RelationResponse => ({
  ...withoutUnset(fields),
  tenant,
  created_at: formatTimestamp(created_at),
  ...withoutUnset({ created_by }),
  modified_at: formatTimestamp(modified_at),
  ...withoutUnset({ modified_by }),
});
