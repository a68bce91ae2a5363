import type { Statement } from '@fibre/database';

/** Locks of each tenant; its relations share them, so that an import of any number of relations needs no more. */
const LOCKS = 256;

/**
 * `select` that lets one import, merge or deletion at a time work on all nodes of some relations, until the transaction ends: each sees all that the
 * one before has done. Everybody takes the locks in ascending order.
 *
 * @param tenant SQL expression, a text
 * @param relations `select` of `relation_id`
 */
export const takeRelationLocks = (tenant: string, relations: string): string => `
  select pg_advisory_xact_lock(hashtext('relations of ' || ${tenant}), l.number) from (
    select distinct hashtext(r.relation_id::text) & ${LOCKS - 1} as number from (${relations}) r order by number
  ) l`;

export const lockRelation = (tenant: string, relationId: string): Statement => ({
  name: 'relation-nodes-lock',
  text: takeRelationLocks('$1', 'select $2::uuid as relation_id'),
  values: [tenant, relationId],
});
