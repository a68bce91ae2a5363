import { ApiProperty, PickType } from '@nestjs/swagger';
import type { Token } from '../access-nodes/access-node.js';
import { CONTACT_FIELDS } from '../relations/relation.entity.js';
import { RelationResponse } from '../relations/relation.response.js';

class NodesByStageResponse implements Record<Token, number> {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Nodes planned.' })
  planned!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Nodes under construction.' })
  construction!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Nodes in operation.' })
  operation!: number;
}

/** What ISPs see of a relation. PostgreSQL writes the JSON; see `published-relation.sql.ts`. */
export class PublishedRelationResponse extends PickType(RelationResponse, [
  'relation_id',
  'tenant',
  'pip',
  ...CONTACT_FIELDS,
  'modified_at',
] as const) {
  @ApiProperty({
    type: NodesByStageResponse,
    description: 'Number of its nodes in production by stage: exact up to 100,000 nodes in total, estimated above.',
  })
  nodes!: NodesByStageResponse;
}
