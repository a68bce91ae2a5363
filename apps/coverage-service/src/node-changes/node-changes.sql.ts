import { type ChangesQuery, LEAST_ID } from '@fibre/changes';
import {
  bound,
  given,
  join,
  type JsonMember,
  jsonObjectText,
  type Listing,
  raw,
  repeatableMigration,
  type Sql,
  sql,
  type Statement,
  statement,
  timestampText,
} from '@fibre/database';
import { MEMBERS, PUBLIC_MEMBERS } from '../access-nodes/access-node.sql.js';
import type { NodeChangesQuery } from './node-changes.requests.js';

/** Deletions are kept this much longer than promised. */
const GRACE = '1 hour';
/** Maximum number of deletion records of either kind that one statement removes. */
export const FORGOTTEN_AT_ONCE = 1_000;

/** Filters of production nodes. */
export type NodeChangeFilters = Omit<NodeChangesQuery, keyof ChangesQuery>;

/** An item: a node `n`, or the ids of a deleted one. */
const itemMembers = (members: readonly JsonMember[]): JsonMember[] => [
  { name: 'change', sql: `case when n.node_id is null then 'deleted' else 'upserted' end`, as: 'plain' },
  { name: 'changed_at', sql: timestampText('n.changed_at'), as: 'plain' },
  {
    name: 'node',
    sql: `case when n.node_id is null then format('{"node_id":"%s","relation_id":"%s"}', n.changed_id, n.changed_relation_id) else ${jsonObjectText(members)} end`,
    as: 'json',
  },
];

/** A table whose rows the feeds list. */
interface Source {
  readonly table: Sql;
  /** The column with the time of the change. */
  readonly at: Sql;
  /** Which of its rows `c` the feeds list. */
  readonly where?: Sql;
  /** The earliest time of its changes, if the reader needs only later ones. */
  readonly since?: Sql;
}

/**
 * Production nodes by the time of their last change, and deleted ones by the time of their deletion; those that bulk work wrote or deleted,
 * by the time of its publication.
 *
 * @param tenant absent for the nodes of all tenants, as the search shows them
 */
export function nodeChanges(tenant: string | undefined, { relation_id }: NodeChangeFilters, settled: Date, deletionsFrom: Date): Listing {
  const owner = given(tenant, bound);
  const ofTenant = (alias: string): Sql | undefined => owner && sql`${raw(alias)}.tenant = ${owner}`;
  const ofRelation = given(relation_id, (id) => sql`c.relation_id = ${id}`);
  const end = bound(settled);
  const nodes: Source = { table: raw('access_node'), at: raw('modified_at'), where: sql`c.collection = 'nodes'` };
  const deletions: Source = { table: raw('node_deletion'), at: raw('deleted_at'), since: bound(deletionsFrom) };
  return {
    label: tenant === undefined ? 'search-changes' : 'node-changes',
    // Reads a page from each table in the order of its index, and one of each table's rows in publications; the first rows of them together
    // are the page to return.
    records: ({ from: [time, id], limit }) => {
      const all = (...conditions: (Sql | undefined)[]): Sql => join(conditions, ' and ');
      const single = ({ table, at, where, since }: Source): Sql => sql`
      (select c.${at} as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id from ${table} c
      where ${all(ofTenant('c'), ofRelation, where, sql`c.publication is null`, since && sql`c.${at} >= ${since}`, sql`(c.${at}, c.node_id) >= (${time}, ${id})`, sql`c.${at} < ${end}`)}
      order by c.${at}, c.node_id limit ${limit})`;
      const published = ({ table, where, since }: Source): Sql => sql`
      (select p.published_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id
      from publication p cross join lateral (
        select c.node_id, c.relation_id from ${table} c
        where ${all(sql`c.publication = p.publication_id`, ofRelation, where)}
          and c.node_id >= case when p.published_at = ${time} then ${id} else '${raw(LEAST_ID)}' end
        order by c.node_id limit ${limit}
      ) c
      where ${all(ofTenant('p'), since && sql`p.published_at >= ${since}`, sql`p.published_at >= ${time}`, sql`p.published_at < ${end}`)}
      order by p.published_at, c.node_id limit ${limit})`;
      return sql`
    select c.*, n.*
    from (
      select c.* from (
        ${join([single(nodes), published(nodes), single(deletions), published(deletions)], ' union all ')}
      ) c order by c.changed_at, c.changed_id limit ${limit}
    ) c left join access_node n on n.node_id = c.changed_id`;
    },
    rows: sql``,
    order: [
      { column: 'changed_at', type: 'timestamptz' },
      { column: 'changed_id', type: 'uuid' },
    ],
    alias: 'n',
    json: jsonObjectText(itemMembers(tenant === undefined ? PUBLIC_MEMBERS : MEMBERS)),
  };
}

/** Removes old deletions and returns the `node_id` of each; other processes may do the same at the same time. */
export function forgetDeletions(retentionDays: number): Statement {
  const before = sql`now() - ${bound(retentionDays)} * interval '1 day' - interval '${raw(GRACE)}'`;
  return statement('node-changes-forget')`
    delete from node_deletion d using (
      select * from (
        select o.deleted_at, o.node_id from node_deletion o where o.publication is null and o.deleted_at < ${before}
        order by o.deleted_at, o.node_id limit ${raw(FORGOTTEN_AT_ONCE)} for update skip locked
      ) single
      union all
      select * from (
        select o.deleted_at, o.node_id from publication p join node_deletion o on o.publication = p.publication_id
        where p.published_at < ${before} limit ${raw(FORGOTTEN_AT_ONCE)} for update of o skip locked
      ) published
    ) o where d.deleted_at = o.deleted_at and d.node_id = o.node_id
    returning d.node_id`;
}

/**
 * Records each deletion of a production node, whether this version of the service, an instance of the previous one or an administrator
 * deletes it.
 */
export const NoteDeletions = repeatableMigration('NoteDeletions', [
  `create or replace function note_node_deletions() returns trigger language plpgsql as $$
    begin
      insert into node_deletion (tenant, relation_id, node_id, deleted_at)
      select d.tenant, d.relation_id, d.node_id, (select write_time()) from deleted d where d.collection = 'nodes';
      return null;
    end $$`,
  `create or replace trigger access_node_deletion after delete on access_node
    referencing old table as deleted for each statement execute function note_node_deletions()`,
]);
