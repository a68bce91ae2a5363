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

/** @param unknown the positions in `node_ids` of nodes that do not exist, or belong to another tenant */
export const nodesNotFound = (unknown: readonly number[], count: number): Problem =>
  new Problem(422, 'nodes-not-found', 'Some nodes do not exist', {
    detail: `${unknown.length} of the ${count} ids in node_ids ${unknown.length === 1 ? 'is' : 'are'} not of your access nodes; nothing was changed.`,
    errors: unknown.map((index) => ({ pointer: `#/node_ids/${index}`, detail: 'is not the id of one of your access nodes' })),
    hint: 'Leave these ids out: the nodes may have been deleted or merged.',
  });

/** @param existing node_id of the node that has the reference; absent if it was deleted in the meantime */
export const customerReferenceTaken = (reference: string, existing: string | undefined): Problem =>
  new Problem(409, 'customer-reference-taken', 'The customer reference is taken', {
    detail: `Another node of this relation and collection has the customer reference ${JSON.stringify(reference)}${existing ? `: ${existing}` : ''}.`,
    hint: 'Update or delete that node, or choose another reference.',
    extensions: { conflicts_with: existing === undefined ? [] : [{ node_id: existing }] },
  });
