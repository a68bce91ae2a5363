import { join, raw, sql, type Statement, statement } from '@fibre/database';
import { COLLECTIONS } from '../access-nodes/access-node.js';

/** Up to this number, the nodes of a single relation are counted. */
export const MAX_COUNTED = 100_000;

/** Whether each collection has nodes of a relation; the columns are named after the collections. */
export function findNodes(tenant: string, relationId: string): Statement {
  const ofRelation = sql`from access_node n where n.tenant = ${tenant} and n.relation_id = ${relationId}`;
  const columns = COLLECTIONS.map(raw).map((name) => sql`exists (select 1 ${ofRelation} and n.collection = '${name}') as ${name}`);
  return statement('relations-find-nodes')`select ${join(columns, ', ')}`;
}
