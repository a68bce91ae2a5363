import { bound, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { type Collection, DEFAULT_STATUS, FIELD_TYPES, OPTIONAL_FIELDS, SETTABLE_COLUMNS } from '../access-nodes/access-node.js';
import { differ, settable } from '../access-nodes/access-node.sql.js';
import type { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { lockRelation, takeRelationLocks } from '../relation-nodes/relation-lock.sql.js';
import { heldRelations } from '../relations/registered-relations.js';
import type { DeletedByImportResponse, ImportResponse } from './node-import.response.js';

/** Maximum number of deleted nodes that a response lists. */
const MAX_DELETED_LISTED = 1_000;
/** Memory that a sort or a hash table of an import may use on the database server. */
const WORK_MEMORY = '64MB';

const COLUMNS = ['place', 'node_id', 'relation_id', ...SETTABLE_COLUMNS] as const;

/** Creates a table for the rows of a file, which is dropped at the end of the transaction. */
export const createRows = statement('node-import-create-rows')`
  create temporary table import_row (
    place integer not null, node_id uuid not null, relation_id uuid not null, token text not null, latitude numeric not null,
    longitude numeric not null, status text not null, ${raw(OPTIONAL_FIELDS.map((field) => `${field} ${FIELD_TYPES[field]}`).join(', '))}
  ) on commit drop`;
export const COPY_ROWS = `copy import_row (${COLUMNS.join(', ')}) from stdin`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const copyText = (value: unknown): string =>
  value == null ? '\\N' : `${value as string}`.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);

/** A row in the text format of COPY. */
export function rowText(place: number, nodeId: string, { relation_id, center, status, ...fields }: CreateAccessNodeRequest): string {
  const row = { ...fields, ...center, place, node_id: nodeId, relation_id, status: status ?? DEFAULT_STATUS };
  return `${COLUMNS.map((column) => copyText(row[column])).join('\t')}\n`;
}

export const analyzeRows = statement('node-import-analyze-rows')`analyze import_row`;
export const allowMemory = statement('node-import-allow-memory')`select set_config('work_mem', ${WORK_MEMORY}, true)`;

/** Locks the relations of the rows against other bulk work. @param whole the relation of all rows, if nodes without a row are deleted */
export const lockRelations = (tenant: string, whole?: string): Statement =>
  whole === undefined
    ? statement('node-import-lock-relations')`${takeRelationLocks(tenant, sql`select distinct i.relation_id from import_row i`)}`
    : lockRelation(tenant, whole);

/** The rows that a statement removed: their number, and details of the first ones. */
export interface RemovedRows {
  readonly count: number;
  readonly first: readonly { place: number; detail: string }[];
}

/** Selects a {@link RemovedRows} from the rows `removed`. */
const removed = (most: number): Sql => sql`
    select (select count(*)::int from removed) as count, coalesce(
      (select json_agg(f order by f.place) from (select r.place, r.detail from removed r order by r.place limit ${most}) f), '[]'
    ) as first`;

/** Removes rows that share their customer reference with another row: a {@link RemovedRows}. */
export function removeRepeated(word: string, most: number): Statement {
  const unit = bound(word);
  return statement('node-import-remove-repeated')`
    with repeated as materialized (
      select i.relation_id, i.customer_reference, min(i.place) as first, max(i.place) as last
      from import_row i where i.customer_reference is not null
      group by i.relation_id, i.customer_reference having count(*) > 1
    ), removed as (
      delete from import_row i using repeated r
      where i.relation_id = r.relation_id and i.customer_reference = r.customer_reference
      returning i.place, case i.place when r.first
        then format('is repeated in %s %s', ${unit}::text, r.last) else format('is already used in %s %s', ${unit}::text, r.first) end as detail
    ) ${removed(most)}`;
}

/** Removes rows of relations that the tenant has not created, and locks the other relations: a {@link RemovedRows}. */
export const removeUnregistered = (tenant: string, most: number): Statement =>
  statement('node-import-remove-unregistered')`
    with held as materialized (${heldRelations(bound(tenant), sql`array(select distinct i.relation_id from import_row i)`)}),
    removed as (
      delete from import_row i where not exists (select from held h where h.relation_id = i.relation_id)
      returning i.place, 'must be a relation that you have created' as detail
    ) ${removed(most)}`;

/** What happened to the rows. */
export interface AppliedRows {
  /** Rows whose reference exists in the collection. */
  readonly matched: number;
  /** Matched rows that differ from the stored node. */
  readonly different: number;
  readonly updated: number;
  readonly created: number;
  /** Nodes that no row names. */
  readonly absent: number;
  readonly deleted: number;
  /** The first deleted nodes. */
  readonly deletedNodes: DeletedByImportResponse[];
}

/** The nodes `n` with the customer reference of a row `i`. */
const matching = (tenant: Sql, target: Sql): Sql => sql`
      from import_row i
      join access_node n
        on n.tenant = ${tenant} and n.collection = ${target} and n.relation_id = i.relation_id and n.customer_reference = i.customer_reference
      where i.customer_reference is not null`;

/** The nodes `n` of a relation. */
const ofRelation = (tenant: Sql, target: Sql, relation: string): Sql => sql`
      from access_node n where n.tenant = ${tenant} and n.collection = ${target} and n.relation_id = ${relation}`;

/** Locks the nodes that {@link applyRows} may change. */
export function lockNodes(tenant: string, collection: Collection, whole?: string): Statement {
  const [owner, target] = [bound(tenant), bound(collection)];
  const nodes = whole === undefined ? matching(owner, target) : ofRelation(owner, target, whole);
  return statement('node-import-lock-nodes')`select count(*) from (select ${nodes} order by n.node_id for update of n) l`;
}

/** The rows that match a node: their place, the node's id, and whether they differ. */
const matchedRows = (tenant: Sql, target: Sql): Sql => sql`
    with matched as materialized (
      select i.place, n.node_id, ${differ('n', 'i')} as differs ${matching(tenant, target)}
    )`;

/**
 * The same, and deletes the nodes that no row names. One snapshot decides about both, so a node whose reference changes in the meantime is
 * not deleted and missing at once. A full join is always a hash or merge join; `not exists` may become a nested loop, which compares every
 * node with every row, if the statistics only know small relations.
 */
const matchedRowsOfWhole = (tenant: Sql, target: Sql, relation: string): Sql => sql`
    with paired as materialized (
      select i.place, n.node_id, n.customer_reference, ${differ('n', 'i')} as differs
      from import_row i full join (select n.* ${ofRelation(tenant, target, relation)}) n on n.customer_reference = i.customer_reference
    ), matched as materialized (
      select p.place, p.node_id, p.differs from paired p where p.place is not null and p.node_id is not null
    ), deleted as (
      delete from access_node n using paired p
      where p.place is null and n.node_id = p.node_id and n.customer_reference is not distinct from p.customer_reference
      returning n.node_id, n.customer_reference
    )`;

const DELETED = sql`(select count(*)::int from paired p where p.place is null) as absent,
      (select count(*)::int from deleted) as deleted,
      coalesce((select json_agg(json_strip_nulls(row_to_json(f))) from (
        select d.node_id, d.customer_reference from deleted d order by d.customer_reference, d.node_id limit ${raw(MAX_DELETED_LISTED)}
      ) f), '[]') as "deletedNodes"`;
const NONE_DELETED = sql`0 as absent, 0 as deleted, json_build_array() as "deletedNodes"`;

/**
 * Creates and updates nodes from the rows: an {@link AppliedRows}.
 *
 * A node that was deleted or got another reference before it was locked is not `updated` or `deleted`. Another attempt is needed if
 * `updated` is less than `different` or `deleted` less than `absent`, or after a unique violation, which means that another node got the
 * reference in the meantime.
 *
 * @param whole the relation of all rows, if its nodes that no row names are deleted
 */
export function applyRows(tenant: string, collection: Collection, whole?: string): Statement {
  const [owner, target] = [bound(tenant), bound(collection)];
  return statement(
    'node-import-apply-rows',
  )`${whole === undefined ? matchedRows(owner, target) : matchedRowsOfWhole(owner, target, whole)}, updated as (
      update access_node n
      set ${raw(SETTABLE_COLUMNS.map((column) => `${column} = i.${column}`).join(', '))},
        version = n.version + 1, modified_at = (select write_time()), publication = default
      from matched m join import_row i on i.place = m.place
      where m.differs and n.node_id = m.node_id and n.collection = ${target} and n.customer_reference = i.customer_reference
      returning n.node_id
    ), created as (
      insert into access_node (node_id, tenant, relation_id, collection, ${raw(SETTABLE_COLUMNS.join(', '))}, created_at, modified_at)
      select i.node_id, ${owner}, i.relation_id, ${target}, ${settable('i')}, written.at, written.at
      from import_row i cross join (select write_time() as at) written
      where not exists (select from matched m where m.place = i.place)
      returning 1
    )
    select
      (select count(*)::int from matched) as matched,
      (select count(*)::int from matched m where m.differs) as different,
      (select count(*)::int from updated) as updated,
      (select count(*)::int from created) as created,
      ${whole === undefined ? NONE_DELETED : DELETED}`;
}

export const beginAttempt = statement('node-import-begin-attempt')`savepoint attempt`;
export const undoAttempt = statement('node-import-undo-attempt')`rollback to savepoint attempt`;

/** A finished import. */
export interface StoredResponse {
  readonly digest: string;
  readonly report: ImportResponse;
}

const STILL_GOOD = sql`a.created_at > now() - interval '24 hours'`;

export const findResponse = (tenant: string, key: string): Statement =>
  statement('node-import-find-response')`
    select a.digest, a.report from import_answer a
    where a.tenant = ${tenant} and a.idempotency_key = ${key} and a.report is not null and ${STILL_GOOD}`;

/** Claims a key for this transaction: returns a row, or nothing if another import has the key. Waits for a running import with this key. */
export const claimKey = (tenant: string, key: string, digest: string): Statement =>
  statement('node-import-claim-key')`
    insert into import_answer as a (tenant, idempotency_key, digest, created_at)
    values (${tenant}, ${key}, ${digest}, statement_timestamp())
    on conflict (tenant, idempotency_key) do update set digest = excluded.digest, created_at = excluded.created_at, report = null
    where not (${STILL_GOOD})
    returning a.idempotency_key`;

/** @param relationId the relation of all rows, if the request names it */
export const storeResponse = (tenant: string, key: string, report: ImportResponse, relationId?: string): Statement =>
  statement('node-import-store-response')`
    update import_answer a set report = ${JSON.stringify(report)}::json, relation_id = ${bound(relationId)}::uuid
    where a.tenant = ${tenant} and a.idempotency_key = ${key}`;

/** Removes expired responses; other processes may do the same at the same time. */
export const removeOldResponses = statement('node-import-remove-old-responses')`
  delete from import_answer a using (
    select o.tenant, o.idempotency_key from import_answer o where o.created_at < now() - interval '25 hours' limit 1000 for update skip locked
  ) o where a.tenant = o.tenant and a.idempotency_key = o.idempotency_key`;
