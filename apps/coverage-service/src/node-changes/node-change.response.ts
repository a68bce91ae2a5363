import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath, PickType } from '@nestjs/swagger';
import { AccessNodeResponse, PublicNodeResponse } from '../access-nodes/access-node.response.js';

class NodeIdsResponse extends PickType(AccessNodeResponse, ['node_id', 'relation_id']) {}

class ChangeResponse {
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When it changed; for an import, a merge or the deletion of a relation, when all of it was complete.',
    example: '2026-02-01T16:00:14.305+00:00',
  })
  changed_at!: string;
}

class UpsertedResponse extends ChangeResponse {
  @ApiProperty({ type: String, enum: ['upserted'], description: 'Store the node.' })
  change!: 'upserted';
}

class UpsertedNodeResponse extends UpsertedResponse {
  @ApiProperty({ type: AccessNodeResponse, description: 'The current node.' })
  node!: AccessNodeResponse;
}

class UpsertedPublicNodeResponse extends UpsertedResponse {
  @ApiProperty({ type: PublicNodeResponse, description: 'The current node.' })
  node!: PublicNodeResponse;
}

class DeletedNodeResponse extends ChangeResponse {
  @ApiProperty({ type: String, enum: ['deleted'], description: 'Remove the node.' })
  change!: 'deleted';

  @ApiProperty({ type: NodeIdsResponse, description: 'The ids of the node.' })
  node!: NodeIdsResponse;
}

/** A change of each kind. Without the discriminator, a whole node would also be a deleted one, and some generators refuse the document. */
const changeOf = (title: string, upserted: Type<object>) => {
  const mapping = { upserted: getSchemaPath(upserted), deleted: getSchemaPath(DeletedNodeResponse) };
  return { title, oneOf: Object.values(mapping).map(($ref) => ({ $ref })), discriminator: { propertyName: 'change', mapping } };
};

export const ChangeModels = (): MethodDecorator & ClassDecorator =>
  ApiExtraModels(UpsertedNodeResponse, UpsertedPublicNodeResponse, DeletedNodeResponse);

/** A change to a production node of the caller's tenant. */
export const NODE_CHANGE = changeOf('NodeChange', UpsertedNodeResponse);
/** A change to a production node of any tenant, with the fields that the search shows. */
export const SEARCH_CHANGE = changeOf('SearchChange', UpsertedPublicNodeResponse);
