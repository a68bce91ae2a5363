import { ApiExtraModels, ApiProperty, getSchemaPath, PickType } from '@nestjs/swagger';
import { AccessNodeResponse, PublicNodeResponse } from '../access-nodes/access-node.response.js';

/** A deleted node. */
export class DeletedNodeResponse extends PickType(AccessNodeResponse, ['node_id', 'relation_id']) {}

class ChangeResponse {
  @ApiProperty({ type: String, enum: ['upserted', 'deleted'], description: 'Whether to store the node or to remove it.' })
  change!: 'upserted' | 'deleted';

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When it changed; for an import, a merge or the deletion of a relation, when all of it was complete.',
    example: '2026-02-01T16:00:14.305+00:00',
  })
  changed_at!: string;
}

const nodeOr = (type: typeof PublicNodeResponse) => ({
  description: 'The current node; only the ids if it was deleted.',
  // Not oneOf, because a whole node also has the ids.
  anyOf: [type, DeletedNodeResponse].map((each) => ({ $ref: getSchemaPath(each) })),
});

/** A change to a production node of the caller's tenant. */
@ApiExtraModels(AccessNodeResponse, DeletedNodeResponse)
export class NodeChangeResponse extends ChangeResponse {
  @ApiProperty(nodeOr(AccessNodeResponse))
  node!: AccessNodeResponse | DeletedNodeResponse;
}

/** A change to a production node of any tenant, with the fields that the search shows. */
@ApiExtraModels(PublicNodeResponse, DeletedNodeResponse)
export class SearchChangeResponse extends ChangeResponse {
  @ApiProperty(nodeOr(PublicNodeResponse))
  node!: PublicNodeResponse | DeletedNodeResponse;
}
