import { bound, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { type Collection, DEFAULT_STATUS, FIELD_TYPES, OPTIONAL_FIELDS, SETTABLE_COLUMNS } from '../access-nodes/access-node.js';
import { differ, modifiedNow, settable } from '../access-nodes/access-node.sql.js';
import type { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { lockRelation, takeRelationLocks } from '../relation-locks/relation-lock.sql.js';
import { heldRelations } from '../relation-locks/registered-relations.js';
import type { DeletedByImportResponse, ImportResponse } from './node-import.response.js';

/** Maximum number of deleted nodes that a response lists. */
const MAX_DELETED_LISTED = 1_000;
/** Memory that a sort or a hash table of an import may use on the database server. */
const WORK_MEMORY = '64MB';

const COLUMNS = ['place', 'place_end', 'node_id', 'relation_id', ...SETTABLE_COLUMNS] as const;

/** Creates a table for the rows of a file, which is dropped at the end of the transaction. */
export const createRows = statement('node-import-create-rows')`
  create temporary table import_row (
    place integer not null, place_end integer not null, node_id uuid not null, relation_id uuid not null, token text not null, latitude numeric not null,
    longitude numeric not null, status text not null, ${raw(OPTIONAL_FIELDS.map((field) => `${field} ${FIELD_TYPES[field]}`).join(', '))}
  ) on commit drop`;
export const COPY_ROWS = `copy import_row (${COLUMNS.join(', ')}) from stdin`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const copyText = (value: unknown): string =>
  value == null ? '\\N' : `${value as string}`.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);

/** Where a row is in its file. */
export interface RowPlace {
  readonly place: number;
  /** Its last line, if it has several. */
  readonly end?: number;
}

/** A row in the text format of COPY. */
export function rowText(
  { place, end = place }: RowPlace,
  nodeId: string,
  { relation_id, center, status, ...fields }: CreateAccessNodeRequest,
): string {
  const row = { ...fields, ...center, place, place_end: end, node_id: nodeId, relation_id, status: status ?? DEFAULT_STATUS };
  return `${COLUMNS.map((column) => copyText(row[column])).join('\t')}\n`;
}

export const analyzeRows = statement('node-import-analyze-rows')`analyze import_row`;
export const allowMemory = statement('node-import-allow-memory')`select set_config('work_mem', ${WORK_MEMORY}, true)`;

/** Locks the relations of the rows against other bulk work. @param whole the relation of all rows, if nodes without a row are deleted */
export const lockRelations = (tenant: string, whole?: string): Statement =>
  whole === undefined
    ? statement('node-import-lock-relations')`${takeRelationLocks(tenant, sql`select distinct i.relation_id from import_row i`)}`
    : lockRelation(tenant, whole);

/** The rows that a statement removed: the places of the first ones in the file, and details of fewer. */
export interface RemovedRows {
  readonly places: readonly Required<RowPlace>[];
  readonly faults: readonly { place: number; detail: string }[];
}

/** Selects a {@link RemovedRows} from the rows `removed`. */
const removed = ({ places, faults }: MostRemoved): Sql => sql`
    select coalesce(
      (select json_agg(p order by p.place) from (select r.place, r.place_end as end from removed r order by r.place limit ${places}) p), '[]'
    ) as places, coalesce(
      (select json_agg(f order by f.place) from (select r.place, r.detail from removed r order by r.place limit ${faults}) f), '[]'
    ) as faults`;

/** How many of the removed rows are returned. */
export interface MostRemoved {
  readonly places: number;
  readonly faults: number;
}

/** Removes rows that share their customer reference with another row: a {@link RemovedRows}. */
export function removeRepeated(word: string, most: MostRemoved): Statement {
  const unit = bound(word);
  return statement('node-import-remove-repeated')`
    with repeated as materialized (
      select i.relation_id, i.customer_reference, min(i.place) as first, max(i.place) as last
      from import_row i where i.customer_reference is not null
      group by i.relation_id, i.customer_reference having count(*) > 1
    ), removed as (
      delete from import_row i using repeated r
      where i.relation_id = r.relation_id and i.customer_reference = r.customer_reference
      returning i.place, i.place_end, case i.place when r.first
        then format('is repeated in %s %s', ${unit}::text, r.last) else format('is already used in %s %s', ${unit}::text, r.first) end as detail
    ) ${removed(most)}`;
}

/** Removes rows of relations that the tenant has not created, and locks the other relations: a {@link RemovedRows}. */
export const removeUnregistered = (tenant: string, most: MostRemoved): Statement =>
  statement('node-import-remove-unregistered')`
    with held as materialized (${heldRelations(bound(tenant), sql`array(select distinct i.relation_id from import_row i)`)}),
    removed as (
      delete from import_row i where not exists (select from held h where h.relation_id = i.relation_id)
      returning i.place, i.place_end, 'must be a relation that you have created' as detail
    ) ${removed(most)}`;

/** Removes the rows after a place, and returns how many are left: `count`. */
export const removeAfter = (place: number): Statement => {
  const last = bound(place);
  return statement('node-import-remove-after')`
    with removed as (delete from import_row i where i.place > ${last})
    select count(*)::int as count from import_row i where i.place <= ${last}`;
};

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

/** The rows `matched` that match a node: their place, the node's id, and whether they differ. */
const matchedRows = (tenant: Sql, target: Sql): Sql => sql`
    with matched as materialized (
      select i.place, n.node_id, ${differ('n', 'i')} as differs ${matching(tenant, target)}
    )`;

/**
 * The same, and `paired`, which also has the nodes that no row names. One snapshot decides about both, so a node whose reference changes in
 * the meantime is not deleted and missing at once. A full join is always a hash or merge join; `not exists` may become a nested loop, which
 * compares every node with every row, if the statistics only know small relations.
 */
const pairedRows = (tenant: Sql, target: Sql, relation: string): Sql => sql`
    with paired as materialized (
      select i.place, n.node_id, n.customer_reference, ${differ('n', 'i')} as differs
      from import_row i full join (select n.* ${ofRelation(tenant, target, relation)}) n on n.customer_reference = i.customer_reference
    ), matched as materialized (
      select p.place, p.node_id, p.differs from paired p where p.place is not null and p.node_id is not null
    )`;

/** The nodes `deleted`: those of `paired` that no row names. */
const DELETE_UNNAMED = sql`, deleted as (
      delete from access_node n using paired p
      where p.place is null and n.node_id = p.node_id and n.customer_reference is not distinct from p.customer_reference
      returning n.node_id, n.customer_reference
    )`;
const FIND_UNNAMED = sql`, deleted as (
      select p.node_id, p.customer_reference from paired p where p.place is null
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
export function applyRows(tenant: string, actor: string | null, collection: Collection, whole?: string): Statement {
  const [owner, author, target] = [tenant, actor, collection].map(bound) as [Sql, Sql, Sql];
  const found = whole === undefined ? matchedRows(owner, target) : sql`${pairedRows(owner, target, whole)}${DELETE_UNNAMED}`;
  return statement('node-import-apply-rows')`${found}, updated as (
      update access_node n
      set ${raw(SETTABLE_COLUMNS.map((column) => `${column} = i.${column}`).join(', '))},
        version = n.version + 1, ${modifiedNow(actor)}
      from matched m join import_row i on i.place = m.place
      where m.differs and n.node_id = m.node_id and n.collection = ${target} and n.customer_reference = i.customer_reference
      returning n.node_id
    ), created as (
      insert into access_node (node_id, tenant, relation_id, collection, ${raw(SETTABLE_COLUMNS.join(', '))}, created_at, modified_at, created_by, modified_by)
      select i.node_id, ${owner}, i.relation_id, ${target}, ${settable('i')}, written.at, written.at, ${author}, ${author}
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

/** What {@link applyRows} would do now: an {@link AppliedRows}. It writes nothing and waits for nobody. */
export function countRows(tenant: string, collection: Collection, whole?: string): Statement {
  const [owner, target] = [bound(tenant), bound(collection)];
  const found = whole === undefined ? matchedRows(owner, target) : sql`${pairedRows(owner, target, whole)}${FIND_UNNAMED}`;
  return statement('node-import-count-rows')`${found}, counted as (
      select count(*)::int as matched, (count(*) filter (where m.differs))::int as different from matched m
    )
    select c.matched, c.different, c.different as updated, (select count(*)::int from import_row) - c.matched as created,
      ${whole === undefined ? NONE_DELETED : DELETED}
    from counted c`;
}

/** A reference as a number, date or time is usually written, in lower case and without zeros in front. */
const usualForm = (reference: Sql): Sql => sql`
      case when ${reference} ~* '^-?[0-9]+([.,][0-9]+)?(e[+-]?[0-9]{1,2})?$'
        then trim_scale(replace(${reference}, ',', '.')::numeric)::text
        else ltrim(lower(regexp_replace(
          regexp_replace(${reference}, '^([0-9]{4})/([0-9]{2})/([0-9]{2})', '\\1-\\2-\\3'), '(:[0-9]{2}):00$|T00:00:00(\\.0+)?$', '\\1'
        )), '0') end`;

/** A row whose reference no node has, and the reference of a node that no row names. Both are the same in their usual form. */
export interface LikelyChanged {
  readonly place: number;
  readonly reference: string;
}

/**
 * Finds references that a program on the way has probably changed: the first {@link LikelyChanged} in the file. It groups the references of
 * both sides, because a join may become a nested loop, which compares every node with every row.
 */
export function findLikelyChanged(tenant: string, collection: Collection, most: number): Statement {
  return statement('node-import-find-likely-changed')`
    with one_sided as (
      select b.relation_id, b.customer_reference, min(b.place) as place
      from (
        select i.relation_id, i.customer_reference, i.place from import_row i where i.customer_reference is not null
        union all
        select n.relation_id, n.customer_reference, null from access_node n
        where n.tenant = ${tenant} and n.collection = ${collection} and n.relation_id in (select i.relation_id from import_row i)
          and n.customer_reference is not null
      ) b
      group by b.relation_id, b.customer_reference having count(*) = 1
    )
    select unnest(array_agg(o.place) filter (where o.place is not null)) as place,
      min(o.customer_reference) filter (where o.place is null) as reference
    from one_sided o
    group by o.relation_id, ${usualForm(sql`o.customer_reference`)}
    having count(o.place) between 1 and count(*) - 1
    order by place limit ${most}`;
}

export const beginAttempt = statement('node-import-begin-attempt')`savepoint attempt`;
export const undoAttempt = statement('node-import-undo-attempt')`rollback to savepoint attempt`;

/** The outcome of an import that had a key. */
export interface StoredResponse {
  readonly digest: string;
  readonly report: ImportResponse;
}

const STILL_GOOD = sql`f.created_at > now() - interval '24 hours'`;

export const findResponse = (tenant: string, key: string): Statement =>
  statement('node-import-find-response')`
    select f.digest, f.report from finished_import f where f.tenant = ${tenant} and f.idempotency_key = ${key} and ${STILL_GOOD}`;

/** Claims a key for this transaction: returns a row, or nothing if another import has the key. Waits for a running import with this key. */
export const claimKey = (tenant: string, actor: string | null, key: string, digest: string): Statement =>
  statement('node-import-claim-key')`
    insert into finished_import as f (tenant, idempotency_key, digest, created_at, created_by)
    values (${tenant}, ${key}, ${digest}, statement_timestamp(), ${actor})
    on conflict (tenant, idempotency_key) do update
    set digest = excluded.digest, created_at = excluded.created_at, created_by = excluded.created_by, report = null
    where not (${STILL_GOOD})
    returning f.idempotency_key`;

/** Stores the outcome of the import that has the key. @param relationId the relation of all rows, if the request names it */
export const storeResponse = (tenant: string, key: string, report: ImportResponse, relationId?: string): Statement =>
  statement('node-import-store-response')`
    update finished_import f set report = ${JSON.stringify(report)}::json, relation_id = ${bound(relationId)}::uuid
    where f.tenant = ${tenant} and f.idempotency_key = ${key}`;

/** Stores the counts of an import without a key. */
export const storeCounts = (tenant: string, actor: string | null, counts: object, relationId?: string): Statement =>
  statement('node-import-store-counts')`
    insert into finished_import (tenant, report, relation_id, created_at, created_by)
    values (${tenant}, ${JSON.stringify(counts)}::json, ${bound(relationId)}::uuid, now(), ${actor})`;

/** How many finished imports one statement forgets. */
export const FORGOTTEN_AT_ONCE = 1_000;

/** Forgets finished imports after a day; other processes may do the same at the same time. */
export const forgetImports = statement('node-import-forget')`
  delete from finished_import f using (
    select o.import_id from finished_import o
    where o.created_at < now() - interval '25 hours' limit ${raw(FORGOTTEN_AT_ONCE)} for update skip locked
  ) o where f.import_id = o.import_id returning f.import_id`;
