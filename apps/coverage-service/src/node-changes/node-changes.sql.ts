import type { ChangesQuery } from '@fibre/changes';
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
/** Maximum number of deletion records that one statement removes. */
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

/**
 * Production nodes by the time of their last change, and deleted ones by the time of their deletion.
 *
 * @param tenant absent for the nodes of all tenants, as the search shows them
 */
export function nodeChanges(tenant: string | undefined, { relation_id }: NodeChangeFilters, settled: Date, deletionsFrom: Date): Listing {
  const filters = [given(tenant, (owner) => sql`c.tenant = ${owner}`), given(relation_id, (id) => sql`c.relation_id = ${id}`)];
  const end = bound(settled);
  return {
    label: tenant === undefined ? 'search-changes' : 'node-changes',
    // Reads a page from each table in the order of its index; the first rows of the two together are the page to return.
    records: ({ from: [time, id], limit }) => {
      const pageOf = (table: Sql, at: Sql, own: Sql): Sql => sql`
      (select c.${at} as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id from ${table} c
      where ${join([...filters, own, sql`(c.${at}, c.node_id) >= (${time}, ${id})`, sql`c.${at} < ${end}`], ' and ')}
      order by c.${at}, c.node_id limit ${limit})`;
      const nodes = pageOf(raw('access_node'), raw('modified_at'), sql`c.collection = 'nodes'`);
      const deletions = pageOf(raw('node_deletion'), raw('deleted_at'), sql`c.deleted_at >= ${deletionsFrom}`);
      return sql`
    select c.*, n.*
    from (
      select c.* from (
        ${nodes} union all ${deletions}
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
export const forgetDeletions = (retentionDays: number): Statement =>
  statement('node-changes-forget')`
    delete from node_deletion d using (
      select o.deleted_at, o.node_id from node_deletion o
      where o.deleted_at < now() - ${retentionDays} * interval '1 day' - interval '${raw(GRACE)}'
      order by o.deleted_at, o.node_id limit ${raw(FORGOTTEN_AT_ONCE)} for update skip locked
    ) o where d.deleted_at = o.deleted_at and d.node_id = o.node_id
    returning d.node_id`;

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
