import { MAX_EXACT_TOTAL, type Statement, statementOf } from '@fibre/database';
import { COLLECTIONS } from '../access-nodes/access-node.js';

const OF_RELATION = 'n.tenant = $1 and n.relation_id = $2';

/** Evaluates an expression over a relation's nodes in each collection, in one snapshot; the columns are named after the collections. */
const eachCollection = (select: (nodes: string) => string): string =>
  `select ${COLLECTIONS.map(
    (collection) => `${select(`from access_node n where ${OF_RELATION} and n.collection = '${collection}'`)} as ${collection}`,
  ).join(', ')}`;

/** Counts a relation's nodes in each collection, up to one more than the exact limit. */
export const countNodes = (tenant: string, relationId: string): Statement =>
  statementOf(
    'relations-count-nodes',
    eachCollection((nodes) => `(select count(*)::int from (select 1 ${nodes} limit ${MAX_EXACT_TOTAL} + 1) counted)`),
    [tenant, relationId],
  );

/** Whether each collection has nodes of a relation. */
export const findNodes = (tenant: string, relationId: string): Statement =>
  statementOf(
    'relations-find-nodes',
    eachCollection((nodes) => `exists (select 1 ${nodes})`),
    [tenant, relationId],
  );
