import { invalidRequest, type Problem } from '@fibre/problems';

/** Which relations a new node may name: any, or only those that its tenant has created. */
export const RELATION_MODES = ['open', 'registered'] as const;
export type RelationMode = (typeof RELATION_MODES)[number];

/** The node names a relation its tenant has not created, and `RELATIONS=registered`. */
export const relationNotRegistered = (): Problem =>
  invalidRequest(
    [{ pointer: '#/relation_id', detail: 'must be a relation that you have created' }],
    'Create it with POST /v2/cov/relations/.',
  );

/**
 * `select` of a tenant's existing relations among these; it locks them against deletion until the transaction ends. With
 * `RELATIONS=registered`, everything that stores nodes runs it in the same transaction. It blocks no change of a relation, and is blocked
 * only briefly by one.
 *
 * @param tenant SQL expression of type text
 * @param relationIds SQL expression, an array of UUIDs
 */
export const heldRelations = (tenant: string, relationIds: string): string =>
  `select r.relation_id from relation r where r.tenant = ${tenant} and r.relation_id = any(${relationIds}) for key share`;
