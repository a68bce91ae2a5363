import { type JsonMember, type Listing, MAX_EXACT_TOTAL, type Statement, statementOf, timestampText } from '@fibre/database';
import type { PageQuery } from '@fibre/pagination';
import { type Collection, COLLECTIONS } from '../access-nodes/access-node.js';
import type { ListRelationsQuery } from './relation.requests.js';
import { SETTABLE_COLUMNS, type SettableFields } from './relation.js';

/** Filters of the listing; absent ones do not narrow it. */
export type RelationFilters = Omit<ListRelationsQuery, keyof PageQuery>;
const FILTERS = ['name', 'pip'] as const satisfies readonly (keyof RelationFilters)[];

/** A relation of a page, which PostgreSQL writes: the members of `RelationResponse`, in the same order. A test holds the two together. */
const MEMBERS: readonly JsonMember[] = [
  { name: 'relation_id', sql: 'r.relation_id', as: 'plain' },
  { name: 'name', sql: 'r.name', as: 'text' },
  { name: 'pip', sql: 'r.pip', as: 'text' },
  { name: 'comment', sql: 'r.comment', as: 'text', optional: true },
  { name: 'tenant', sql: 'r.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('r.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('r.modified_at'), as: 'plain' },
];

/** The listing, oldest first. */
export function relationListing(tenant: string, filters: RelationFilters): Listing {
  const values: unknown[] = [tenant];
  const conditions = FILTERS.flatMap((name) => (filters[name] === undefined ? [] : [`r.${name} = $${values.push(filters[name])}`]));
  const where = ['r.tenant = $1', ...conditions].join(' and ');
  return {
    label: 'relations',
    values,
    records: ({ from, limit }) =>
      `select r.* from relation r where ${where} ${from === undefined ? '' : `and r.relation_id >= ${from}`} order by r.relation_id limit ${limit}`,
    rows: `select 1 from relation r where ${where}`,
    key: 'relation_id',
    alias: 'r',
    members: MEMBERS,
  };
}

/** Changes a relation in one of these versions, in every version without them: the relation as it is then. */
export function updateRelation(
  tenant: string,
  relationId: string,
  changes: Partial<SettableFields>,
  versions?: readonly number[],
): Statement {
  const values: unknown[] = [tenant, relationId, versions ?? null];
  const changed = SETTABLE_COLUMNS.filter((column) => changes[column] !== undefined);
  const assignments = changed.map((column) => `${column} = $${values.push(changes[column])}`);
  const text = `
    update relation r
    set ${assignments.join(', ')}, version = r.version + 1, modified_at = date_trunc('milliseconds', now())
    where r.tenant = $1 and r.relation_id = $2 and ($3::int[] is null or r.version = any($3::int[]))
    returning r.*`;
  return statementOf('relations-update', text, values);
}

/** The relation that has a name: `relation_id`. */
export const findByName = (tenant: string, name: string): Statement => ({
  name: 'relations-by-name',
  text: `select r.relation_id from relation r where r.tenant = $1 and r.name = $2`,
  values: [tenant, name],
});

/** How many nodes a relation has in each collection, all of them seen at one moment, at most one more than are counted exactly. */
export const countNodes = (tenant: string, relationId: string): Statement => ({
  name: 'relations-count-nodes',
  text: `select ${COLLECTIONS.map(
    (collection) => `(
      select count(*)::int from (
        select 1 from access_node n
        where n.tenant = $1 and n.relation_id = $2 and n.collection = '${collection}'
        limit ${MAX_EXACT_TOTAL} + 1
      ) counted
    ) as ${collection}`,
  ).join(', ')}`,
  values: [tenant, relationId],
});

/** What decides whether a relation may go. */
export interface Deletable {
  readonly version: number;
  /** Collections that have nodes of it. */
  readonly collections: Collection[];
}

/** A relation that shall be deleted: {@link Deletable}. */
export const findDeletable = (tenant: string, relationId: string): Statement => ({
  name: 'relations-find-deletable',
  text: `
    select r.version, array(
      select c.collection from unnest($3::text[]) as c (collection)
      where exists (
        select from access_node n where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = c.collection
      )
    ) as collections
    from relation r
    where r.tenant = $1 and r.relation_id = $2`,
  values: [tenant, relationId, COLLECTIONS],
});

/** Keeps everybody from holding a relation (see {@link heldRelations}) until the transaction ends, after those who do. */
export const lockRelation = (tenant: string, relationId: string): Statement => ({
  name: 'relations-lock',
  text: `select from relation r where r.tenant = $1 and r.relation_id = $2 for update`,
  values: [tenant, relationId],
});

export const deleteRelation = (tenant: string, relationId: string): Statement => ({
  name: 'relations-delete',
  text: `delete from relation r where r.tenant = $1 and r.relation_id = $2`,
  values: [tenant, relationId],
});

/**
 * `select` of those relations of a tenant that are there; nobody deletes them before the transaction ends. Where relations have to be
 * registered, whatever stores nodes runs it in the same transaction. It holds up no change of a relation, and none holds it up for long.
 *
 * @param tenant SQL expression, a text
 * @param relationIds SQL expression, an array of UUIDs
 */
export const heldRelations = (tenant: string, relationIds: string): string =>
  `select r.relation_id from relation r where r.tenant = ${tenant} and r.relation_id = any(${relationIds}) for key share`;
