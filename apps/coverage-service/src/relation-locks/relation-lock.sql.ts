import { raw, type Sql, sql, type Statement, statement } from '@fibre/database';

/** Number of locks per tenant; the tenant's relations share them, so an import never needs more, however many relations it has. */
const LOCKS = 256;

/**
 * A `select` that locks these relations until the transaction ends, so that only one import, merge or deletion at a time works on all of
 * their nodes, and each sees the changes of the previous one. It takes the locks in ascending order.
 *
 * @param relations query that returns the `relation_id` of each relation
 */
export const takeRelationLocks = (tenant: string, relations: Sql): Sql => sql`
  select pg_advisory_xact_lock(hashtext('relations of ' || ${tenant}), l.number) from (
    select distinct hashtext(r.relation_id::text) & ${raw(LOCKS - 1)} as number from (${relations}) r order by number
  ) l`;

export const lockRelation = (tenant: string, relationId: string): Statement =>
  statement('relation-nodes-lock')`${takeRelationLocks(tenant, sql`select ${relationId}::uuid as relation_id`)}`;
