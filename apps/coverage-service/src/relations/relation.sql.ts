import { MAX_EXACT_TOTAL, type Statement, statementOf } from '@fibre/database';
import { COLLECTIONS } from '../access-nodes/access-node.js';

const OF_RELATION = 'n.tenant = $1 and n.relation_id = $2';

/** Selects something of a relation's nodes for each collection, as a column of its name, all of them seen at one moment. */
const eachCollection = (select: (nodes: string) => string): string =>
  `select ${COLLECTIONS.map(
    (collection) => `${select(`from access_node n where ${OF_RELATION} and n.collection = '${collection}'`)} as ${collection}`,
  ).join(', ')}`;

/** How many nodes a relation has in each collection, at most one more than are counted exactly. */
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
