import { type Sql, sql } from '@fibre/database';
import { invalidRequest, type Problem } from '@fibre/problems';

/** With `RELATIONS=registered`: the node names a relation that its tenant has not created. */
export const relationNotRegistered = (): Problem =>
  invalidRequest(
    [{ pointer: '#/relation_id', detail: 'must be a relation that you have created' }],
    'Create it with POST /v2/cov/relations/.',
  );

/**
 * A `select` that returns the relations in this list that the tenant has created, and locks them against deletion until the transaction
 * ends. With `RELATIONS=registered`, every operation that stores nodes runs it in the same transaction. The lock does not block changes to
 * a relation, and such changes delay the lock only briefly.
 *
 * @param relationIds SQL expression of type uuid[]
 */
export const heldRelations = (tenant: Sql, relationIds: Sql): Sql =>
  sql`select r.relation_id from relation r where r.tenant = ${tenant} and r.relation_id = any(${relationIds}) for key share`;
