import { Problem, ProblemResponse } from '@fibre/problems';
import { ApiProperty } from '@nestjs/swagger';

class ConflictingNode {
  @ApiProperty({ type: String, format: 'uuid', description: 'The node that has the reference.' })
  node_id!: string;
}

/** Body of a 409, for the OpenAPI document. */
export class NodeConflictResponse extends ProblemResponse {
  @ApiProperty({ type: [ConflictingNode], description: 'The conflicting node; empty if it was deleted in the meantime.' })
  conflicts_with!: ConflictingNode[];
}

/** @param ids what was sent as `node_ids` @param known the ids of nodes that exist and belong to the tenant */
export function nodesNotFound(ids: readonly string[], known: ReadonlySet<string>): Problem {
  const errors = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `#/node_ids/${index}`, detail: `${id} is not the id of one of your access nodes` }],
  );
  return new Problem(422, 'nodes-not-found', 'Some nodes do not exist', {
    detail: `${errors.length} of the ${ids.length} ids in node_ids ${errors.length === 1 ? 'is' : 'are'} not of your access nodes; nothing was changed.`,
    errors,
    hint: 'Leave these ids out: the nodes may have been deleted or merged.',
  });
}

/** @param existing node_id of the node that has the reference; absent if it was deleted in the meantime */
export const customerReferenceTaken = (reference: string, existing: string | undefined): Problem =>
  new Problem(409, 'customer-reference-taken', 'The customer reference is taken', {
    detail: `Another node of this relation and collection has the customer reference ${JSON.stringify(reference)}${existing ? `: ${existing}` : ''}.`,
    hint: 'Update or delete that node, or choose another reference.',
    extensions: { conflicts_with: existing === undefined ? [] : [{ node_id: existing }] },
  });
