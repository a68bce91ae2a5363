import { bound, raw, sql, type Statement, statement, timestampText } from '@fibre/database';

/** How many relations with nodes are looked at. Each takes two index lookups. */
export const MAX_WALKED = 10_000;
/** How many relations are returned, each of which is counted. */
const WAITING = 10;
/** How many imports are returned. */
const IMPORTS = 1_000;

/** A tenant's relations, as rows to be counted. */
export const relationRows = (tenant: string) => ({
  label: 'overview-relations',
  rows: sql`select 1 from relation r where r.tenant = ${tenant}`,
});

/** Relations with nodes in pre-production. */
export interface WaitingRelations {
  /** How many relations with nodes were looked at, at most {@link MAX_WALKED}. */
  readonly walked: number;
  readonly count: number;
  /** The newest of them. */
  readonly first: readonly { readonly relation_id: string; readonly name: string | null }[];
}

/**
 * Relations with nodes in pre-production: a {@link WaitingRelations}. It jumps from one relation of the nodes to the next instead of reading all nodes. Ids of created relations and
 * of nodes begin with their time; a relation that was not created begins with its first node.
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
    ), walked as materialized (
      select u.relation_id from used u where u.relation_id is not null limit ${raw(MAX_WALKED)}
    ), waiting as materialized (
      select w.relation_id, r.name, coalesce(r.relation_id, first.node_id) as since
      from walked w
      cross join lateral (
        select n.node_id from access_node n
        where n.tenant = ${owner} and n.relation_id = w.relation_id and n.collection = 'prenodes'
        order by n.node_id limit 1
      ) first
      left join relation r on r.tenant = ${owner} and r.relation_id = w.relation_id
    )
    select (select count(*)::int from walked) as walked, (select count(*)::int from waiting) as count, coalesce(
      (select json_agg(f order by f.since desc) from (select w.* from waiting w order by w.since desc limit ${raw(WAITING)}) f), '[]'
    ) as first`;
}

const REPORTED = raw(
  ['rows', 'created', 'updated', 'unchanged', 'refused', 'deleted'].map((name) => `(f.report ->> '${name}')::int as ${name}`).join(', '),
);

/** The imports of the last day, newest first: a `LatestImportResponse` each, and how many there are (`total`). */
export const selectImports = (tenant: string): Statement =>
  statement('overview-imports')`
    select ${raw(timestampText('f.created_at'))} as created_at, f.created_by, f.relation_id, r.name, ${REPORTED}, (count(*) over ())::int as total
    from finished_import f left join relation r on r.tenant = f.tenant and r.relation_id = f.relation_id
    where f.tenant = ${tenant} and f.created_at >= now() - interval '1 day'
    order by f.created_at desc, f.import_id desc limit ${raw(IMPORTS)}`;
