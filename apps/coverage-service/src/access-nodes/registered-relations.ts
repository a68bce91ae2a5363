import { invalidRequest, type Problem } from '@fibre/problems';

/** Which relations a new node may name: any, or only those that its tenant has created. */
export const RELATION_MODES = ['open', 'registered'] as const;
export type RelationMode = (typeof RELATION_MODES)[number];

/** A node names a relation that its tenant has not created, in mode `registered`. */
export const relationNotRegistered = (): Problem =>
  invalidRequest(
    [{ pointer: '#/relation_id', detail: 'has to be a relation that you have created' }],
    'Create it by POST /v2/cov/relations/.',
  );

/**
 * `select` of those relations of a tenant that are there; nobody deletes them before the transaction ends. In mode `registered`
 * whatever stores nodes runs it in the same transaction. It delays no change of a relation, and no change delays it for long.
 *
 * @param tenant SQL expression, a text
 * @param relationIds SQL expression, an array of UUIDs
 */
export const heldRelations = (tenant: string, relationIds: string): string =>
  `select r.relation_id from relation r where r.tenant = ${tenant} and r.relation_id = any(${relationIds}) for key share`;
