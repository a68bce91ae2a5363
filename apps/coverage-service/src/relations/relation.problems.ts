import { Problem, ProblemResponse } from '@fibre/problems';
import { ApiProperty } from '@nestjs/swagger';
import type { Collection } from '../access-nodes/access-node.js';

class ConflictingRelation {
  @ApiProperty({ type: String, format: 'uuid', description: 'The relation that has the name.' })
  relation_id!: string;
}

/** Body of a 409 about a name, for the OpenAPI document. */
export class RelationConflictResponse extends ProblemResponse {
  @ApiProperty({ type: [ConflictingRelation], description: 'The conflicting relation; empty if it was deleted in the meantime.' })
  conflicts_with!: ConflictingRelation[];
}

/** @param existing relation_id of the relation that has the name; absent if it was deleted in the meantime */
export const relationNameTaken = (name: string, existing: string | undefined): Problem =>
  new Problem(409, 'relation-name-taken', 'The name is taken', {
    detail: `Another relation is called ${JSON.stringify(name)}${existing ? `: ${existing}` : ''}.`,
    hint: 'Use that relation, or choose another name.',
    extensions: { conflicts_with: existing === undefined ? [] : [{ relation_id: existing }] },
  });

const WHERE: Readonly<Record<Collection, string>> = { nodes: 'production', prenodes: 'pre-production' };

/** @param collections collections that contain nodes of the relation */
export const relationInUse = (relationId: string, collections: readonly Collection[]): Problem =>
  new Problem(409, 'relation-in-use', 'The relation is in use', {
    detail: `The relation ${relationId} has nodes in ${collections.map((collection) => WHERE[collection]).join(' and in ')}.`,
    hint: `Delete them first: ${collections.map((collection) => `DELETE /v2/cov/nodes/?relation_id=${relationId}&target=${collection}`).join(', ')}`,
  });
