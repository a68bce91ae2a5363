import { bound, raw, sql, type Statement, statement, timestampText } from '@fibre/database';

/** How many relations are searched for nodes in pre-production. Each takes two index lookups. */
const SEARCHED = 1_000;
/** How many relations are returned, each of which is counted. */
const WAITING = 10;
const IMPORTS = 5;

/** A tenant's relations, as rows to be counted. */
export const relationRows = (tenant: string) => ({
  label: 'overview-relations',
  rows: sql`select 1 from relation r where r.tenant = ${tenant}`,
});

/**
 * Relations with nodes in pre-production, whether created or not: `relation_id`, and `name` or null. It jumps from one relation of the nodes
 * to the next instead of reading all nodes, and stops once it has found enough.
 */
export function selectWaiting(tenant: string): Statement {
  const owner = bound(tenant);
  return statement('overview-waiting')`
    with recursive used as (
      (select n.relation_id from access_node n where n.tenant = ${owner} order by n.relation_id desc limit 1)
      union all
      select (
        select n.relation_id from access_node n
        where n.tenant = ${owner} and n.relation_id < u.relation_id
        order by n.relation_id desc limit 1
      )
      from used u
      where u.relation_id is not null
    )
    select w.relation_id, r.name
    from (
      select u.relation_id
      from (select u.relation_id from used u limit ${raw(SEARCHED)}) u
      where exists (
        select from access_node n where n.tenant = ${owner} and n.relation_id = u.relation_id and n.collection = 'prenodes'
      )
      limit ${raw(WAITING)}
    ) w
    left join relation r on r.tenant = ${owner} and r.relation_id = w.relation_id
    order by w.relation_id desc`;
}

const REPORTED = raw(['rows', 'created', 'updated', 'refused'].map((name) => `(a.report ->> '${name}')::int as ${name}`).join(', '));

/** The latest imports: a `LatestImportResponse` each. */
export const selectImports = (tenant: string): Statement =>
  statement('overview-imports')`
    select ${raw(timestampText('a.created_at'))} as created_at, a.relation_id, r.name, ${REPORTED}
    from import_answer a left join relation r on r.tenant = a.tenant and r.relation_id = a.relation_id
    where a.tenant = ${tenant} and a.report is not null and a.created_at >= now() - interval '1 day'
    order by a.created_at desc limit ${raw(IMPORTS)}`;
