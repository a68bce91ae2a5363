import { join, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { COLLECTIONS } from '../access-nodes/access-node.js';

/** Up to this number, the nodes of a single relation are counted. */
export const MAX_COUNTED = 100_000;

/** Evaluates an expression over a relation's nodes in each collection, in one snapshot; the columns are named after the collections. */
function eachCollection(tenant: string, relationId: string, select: (nodes: Sql) => Sql): Sql {
  const ofRelation = sql`from access_node n where n.tenant = ${tenant} and n.relation_id = ${relationId}`;
  const columns = COLLECTIONS.map(raw).map((name) => sql`${select(sql`${ofRelation} and n.collection = '${name}'`)} as ${name}`);
  return sql`select ${join(columns, ', ')}`;
}

/** Counts a relation's nodes in each collection, up to one more than {@link MAX_COUNTED}. */
export const countNodes = (tenant: string, relationId: string): Statement =>
  statement('relations-count-nodes')`${eachCollection(
    tenant,
    relationId,
    (nodes) => sql`(select count(*)::int from (select 1 ${nodes} limit ${raw(MAX_COUNTED)} + 1) counted)`,
  )}`;

/** Whether each collection has nodes of a relation. */
export const findNodes = (tenant: string, relationId: string): Statement =>
  statement('relations-find-nodes')`${eachCollection(tenant, relationId, (nodes) => sql`exists (select 1 ${nodes})`)}`;
