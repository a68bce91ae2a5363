import type { Statement } from '@fibre/database';
import { type Collection, DEFAULT_STATUS, FIELD_TYPES, OPTIONAL_FIELDS, SETTABLE_COLUMNS } from '../access-nodes/access-node.js';
import type { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { takeRelationLocks } from '../relation-nodes/relation-lock.sql.js';
import { heldRelations } from '../access-nodes/registered-relations.js';
import type { ImportReport } from './node-import.js';

/** Memory that a sort or a hash table of an import may use on the database server. */
const WORK_MEMORY = '64MB';

const COLUMNS = ['place', 'node_id', 'relation_id', ...SETTABLE_COLUMNS] as const;

const statement = (name: string, text: string, values: unknown[] = []): Statement => ({ name: `node-import-${name}`, text, values });

/** Creates a table for the rows of a file, which is dropped at the end of the transaction. */
export const createRows = statement(
  'create-rows',
  `
  create temporary table import_row (
    place integer not null, node_id uuid not null, relation_id uuid not null, token text not null, latitude numeric not null,
    longitude numeric not null, status text not null, ${OPTIONAL_FIELDS.map((field) => `${field} ${FIELD_TYPES[field]}`).join(', ')}
  ) on commit drop`,
);
export const COPY_ROWS = `copy import_row (${COLUMNS.join(', ')}) from stdin`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const copyText = (value: unknown): string =>
  value == null ? '\\N' : `${value as string}`.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character]!);

/** A row in the text format of COPY. */
export function rowText(place: number, nodeId: string, { relation_id, center, status, ...fields }: CreateAccessNodeRequest): string {
  const row = { ...fields, ...center, place, node_id: nodeId, relation_id, status: status ?? DEFAULT_STATUS };
  return `${COLUMNS.map((column) => copyText(row[column])).join('\t')}\n`;
}

export const analyzeRows = statement('analyze-rows', 'analyze import_row');
export const allowMemory = statement('allow-memory', `select set_config('work_mem', $1, true)`, [WORK_MEMORY]);

/** Locks the relations of the rows against other bulk work. */
export const lockRelations = (tenant: string): Statement =>
  statement('lock-relations', takeRelationLocks('$1', 'select distinct i.relation_id from import_row i'), [tenant]);

/** The rows that a statement removed: their number, and details of the first ones. */
export interface RemovedRows {
  readonly count: number;
  readonly first: readonly { place: number; detail: string }[];
}

/** Selects a {@link RemovedRows} from the rows `removed`. */
const REMOVED = `
    select (select count(*)::int from removed) as count, coalesce(
      (select json_agg(f order by f.place) from (select r.place, r.detail from removed r order by r.place limit $2) f), '[]'
    ) as first`;

/** Removes rows that share their customer reference with another row: a {@link RemovedRows}. */
export const removeRepeated = (word: string, most: number): Statement =>
  statement(
    'remove-repeated',
    `
    with repeated as materialized (
      select i.relation_id, i.customer_reference, min(i.place) as first, max(i.place) as last
      from import_row i where i.customer_reference is not null
      group by i.relation_id, i.customer_reference having count(*) > 1
    ), removed as (
      delete from import_row i using repeated r
      where i.relation_id = r.relation_id and i.customer_reference = r.customer_reference
      returning i.place, case i.place when r.first
        then format('is repeated in %s %s', $1::text, r.last) else format('is already used in %s %s', $1::text, r.first) end as detail
    ) ${REMOVED}`,
    [word, most],
  );

/** Removes rows of relations that the tenant has not created, and locks the other relations: a {@link RemovedRows}. */
export const removeUnregistered = (tenant: string, most: number): Statement =>
  statement(
    'remove-unregistered',
    `
    with held as materialized (${heldRelations('$1', 'array(select distinct i.relation_id from import_row i)')}),
    removed as (
      delete from import_row i where not exists (select from held h where h.relation_id = i.relation_id)
      returning i.place, 'must be a relation that you have created' as detail
    ) ${REMOVED}`,
    [tenant, most],
  );

/** What happened to the rows. */
export interface AppliedRows {
  /** Rows whose reference exists in the collection. */
  readonly matched: number;
  /** Matched rows that differ from the stored node. */
  readonly different: number;
  readonly updated: number;
  readonly created: number;
}

const list = (alias: string): string => SETTABLE_COLUMNS.map((column) => `${alias}.${column}`).join(', ');

/** The nodes `n` with the customer reference of a row `i`; `$1` is the tenant and `$2` the collection. */
const MATCHING = `
      from import_row i
      join access_node n
        on n.tenant = $1 and n.collection = $2 and n.relation_id = i.relation_id and n.customer_reference = i.customer_reference
      where i.customer_reference is not null`;

/** Locks the nodes that have the customer reference of a row. */
export const lockNodes = (tenant: string, collection: Collection): Statement =>
  statement('lock-nodes', `select count(*) from (select ${MATCHING} order by n.node_id for update of n) l`, [tenant, collection]);

/**
 * Creates and updates nodes from the rows: an {@link AppliedRows}.
 *
 * A node that was deleted or got another reference before it was locked is not `updated`. Another attempt is needed if `updated` is less
 * than `different`, or after a unique violation, which means that another node got the reference in the meantime.
 */
export const applyRows = (tenant: string, collection: Collection): Statement =>
  statement(
    'apply-rows',
    `
    with matched as materialized (
      select i.place, n.node_id, (${list('n')}) is distinct from (${list('i')}) as differs ${MATCHING}
    ), updated as (
      update access_node n
      set ${SETTABLE_COLUMNS.map((column) => `${column} = i.${column}`).join(', ')},
        version = n.version + 1, modified_at = date_trunc('milliseconds', statement_timestamp())
      from matched m join import_row i on i.place = m.place
      where m.differs and n.node_id = m.node_id and n.collection = $2 and n.customer_reference = i.customer_reference
      returning n.node_id
    ), created as (
      insert into access_node (node_id, tenant, relation_id, collection, ${SETTABLE_COLUMNS.join(', ')}, created_at, modified_at)
      select i.node_id, $1, i.relation_id, $2, ${list('i')}, date_trunc('milliseconds', statement_timestamp()), date_trunc('milliseconds', statement_timestamp())
      from import_row i
      where not exists (select from matched m where m.place = i.place)
      returning 1
    )
    select
      (select count(*)::int from matched) as matched,
      (select count(*)::int from matched m where m.differs) as different,
      (select count(*)::int from updated) as updated,
      (select count(*)::int from created) as created`,
    [tenant, collection],
  );

export const beginAttempt = statement('begin-attempt', 'savepoint attempt');
export const undoAttempt = statement('undo-attempt', 'rollback to savepoint attempt');

/** A finished import. */
export interface StoredResponse {
  readonly digest: string;
  readonly report: ImportReport;
}

const STILL_GOOD = `a.created_at > now() - interval '24 hours'`;

export const findResponse = (tenant: string, key: string): Statement =>
  statement(
    'find-response',
    `select a.digest, a.report from import_answer a where a.tenant = $1 and a.idempotency_key = $2 and a.report is not null and ${STILL_GOOD}`,
    [tenant, key],
  );

/** Claims a key for this transaction: returns a row, or nothing if another import has the key. Waits for a running import with this key. */
export const claimKey = (tenant: string, key: string, digest: string): Statement =>
  statement(
    'claim-key',
    `
    insert into import_answer as a (tenant, idempotency_key, digest, created_at) values ($1, $2, $3, statement_timestamp())
    on conflict (tenant, idempotency_key) do update set digest = excluded.digest, created_at = excluded.created_at, report = null
    where not (${STILL_GOOD})
    returning a.idempotency_key`,
    [tenant, key, digest],
  );

export const storeResponse = (tenant: string, key: string, report: ImportReport): Statement =>
  statement('store-response', `update import_answer a set report = $3::json where a.tenant = $1 and a.idempotency_key = $2`, [
    tenant,
    key,
    JSON.stringify(report),
  ]);

/** Removes expired responses; other processes may do the same at the same time. */
export const removeOldResponses = statement(
  'remove-old-responses',
  `
  delete from import_answer a using (
    select o.tenant, o.idempotency_key from import_answer o where o.created_at < now() - interval '25 hours' limit 1000 for update skip locked
  ) o where a.tenant = o.tenant and a.idempotency_key = o.idempotency_key`,
);
