import { formatTimestamp } from '@fibre/dto';
import { ApiProperty } from '@nestjs/swagger';
import type { Relation } from './relation.entity.js';

/** A relation in responses; an unset comment is omitted. */
export class RelationResponse {
  @ApiProperty({ type: String, format: 'uuid', description: 'Id of the relation, assigned by the service.' })
  relation_id!: string;

  @ApiProperty({ type: String, description: 'Your name for the relation.', example: 'Innere Stadt' })
  name!: string;

  @ApiProperty({ type: String, description: 'The infrastructure provider (PIP).', example: 'Stadtnetz Wien' })
  pip!: string;

  @ApiProperty({ type: String, required: false, description: 'Your own notes.' })
  comment?: string;

  @ApiProperty({ type: String, description: 'The operator that owns the relation.' })
  tenant!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was created.', example: '2026-02-01T16:00:14.305+00:00' })
  created_at!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When it was last changed.', example: '2026-02-01T16:00:14.305+00:00' })
  modified_at!: string;
}

/** A relation as returned when it is read on its own. */
export class CountedRelationResponse extends RelationResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of its nodes in pre-production: exact up to 100,000, estimated above.' })
  prenodes!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of its nodes in production: exact up to 100,000, estimated above.' })
  nodes!: number;
}

export const toRelationResponse = ({ relation_id, name, pip, comment, tenant, created_at, modified_at }: Relation): RelationResponse => ({
  relation_id,
  name,
  pip,
  comment: comment ?? undefined,
  tenant,
  created_at: formatTimestamp(created_at),
  modified_at: formatTimestamp(modified_at),
});
