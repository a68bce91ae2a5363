import { MAX_EXACT_TOTAL, type Statement, statementOf } from '@fibre/database';
import { COLLECTIONS } from '../collections/collection.js';

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

/**
 * `select` of those relations of a tenant that are there; nobody deletes them before the transaction ends. In mode `registered`
 * whatever stores nodes runs it in the same transaction. It delays no change of a relation, and no change delays it for long.
 *
 * @param tenant SQL expression, a text
 * @param relationIds SQL expression, an array of UUIDs
 */
export const heldRelations = (tenant: string, relationIds: string): string =>
  `select r.relation_id from relation r where r.tenant = ${tenant} and r.relation_id = any(${relationIds}) for key share`;
