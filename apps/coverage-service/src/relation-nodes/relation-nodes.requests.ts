import { EnumField, UuidField } from '@fibre/dto';
import { COLLECTIONS, type Collection, EXAMPLE_RELATION } from '../access-nodes/access-node.js';

export class RelationQuery {
  @UuidField({ description: 'The ANO-PIP relation.', example: EXAMPLE_RELATION })
  relation_id!: string;
}

export class BulkDeleteQuery extends RelationQuery {
  @EnumField(COLLECTIONS, { description: 'Collection to delete from.', presence: 'if-present', default: 'nodes' })
  target: Collection = 'nodes';
}
