import { bound, raw, type Sql, sql, type Statement, statement } from '@fibre/database';
import { DEFAULT_STATUS, FIELD_TYPES, OPTIONAL_FIELDS, SETTABLE_COLUMNS } from '../access-nodes/access-node.js';
import type { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { heldRelations } from '../relation-locks/registered-relations.js';
import { lockRelation, takeRelationLocks } from '../relation-locks/relation-lock.sql.js';

/** Memory that a sort or a hash table of an import may use on the database server. */
const WORK_MEMORY = '64MB';

const COLUMNS = ['place', 'place_end', 'node_id', 'relation_id', ...SETTABLE_COLUMNS] as const;
type Column = (typeof COLUMNS)[number];

/** Creates a table for the rows of a file, which is dropped at the end of the transaction. */
export const createRows = statement('node-import-create-rows')`
  create temporary table import_row (
    place integer not null,
    place_end integer not null,
    node_id uuid not null,
    relation_id uuid not null,
    token text not null,
    latitude numeric not null,
    longitude numeric not null,
    status text not null,
    ${raw(OPTIONAL_FIELDS.map((field) => `${field} ${FIELD_TYPES[field]}`).join(',\n    '))}
  ) on commit drop`;
export const COPY_ROWS = `copy import_row (${COLUMNS.join(', ')}) from stdin`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
function copyText(value: unknown): string {
  if (value == null) return '\\N';
  const text = `${value as string}`;
  // Almost no text has such a character, and to look for one takes less time than to replace none.
  return /[\\\t\n\r]/.test(text) ? text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : text;
}

/** Where a row is in its file. */
export interface RowPlace {
  readonly place: number;
  /** Its last line, if it has several. */
  readonly end?: number;
}

/** A row in the text format of COPY. */
export function rowText({ place, end = place }: RowPlace, nodeId: string, node: CreateAccessNodeRequest): string {
  const { latitude, longitude } = node.center;
  // Not with the node's other members: to copy objects for each row would take longer than all the rest of this function.
  const own: Partial<Record<Column, unknown>> = {
    place,
    place_end: end,
    node_id: nodeId,
    latitude,
    longitude,
    status: node.status ?? DEFAULT_STATUS,
  };
  return `${COLUMNS.map((column) => copyText(own[column] ?? node[column as keyof CreateAccessNodeRequest])).join('\t')}\n`;
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
    select
      coalesce((
        select json_agg(p order by p.place)
        from (select r.place, r.place_end as end from removed r order by r.place limit ${places}) p
      ), '[]') as places,
      coalesce((
        select json_agg(f order by f.place)
        from (select r.place, r.detail from removed r order by r.place limit ${faults}) f
      ), '[]') as faults`;

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
      from import_row i
      where i.customer_reference is not null
      group by i.relation_id, i.customer_reference
      having count(*) > 1
    ), removed as (
      delete from import_row i
      using repeated r
      where i.relation_id = r.relation_id
        and i.customer_reference = r.customer_reference
      returning
        i.place,
        i.place_end,
        case i.place
          when r.first then format('is repeated in %s %s', ${unit}::text, r.last)
          else format('is already used in %s %s', ${unit}::text, r.first)
        end as detail
    )
    ${removed(most)}`;
}

/** Removes rows of relations that the tenant has not created, and locks the other relations: a {@link RemovedRows}. */
export const removeUnregistered = (tenant: string, most: MostRemoved): Statement =>
  statement('node-import-remove-unregistered')`
    with held as materialized (
      ${heldRelations(bound(tenant), sql`array(select distinct i.relation_id from import_row i)`)}
    ), removed as (
      delete from import_row i
      where not exists (select from held h where h.relation_id = i.relation_id)
      returning i.place, i.place_end, 'must be a relation that you have created' as detail
    )
    ${removed(most)}`;

/** Removes the rows after a place, and returns how many are left: `count`. */
export const removeAfter = (place: number): Statement => {
  const last = bound(place);
  return statement('node-import-remove-after')`
    with removed as (
      delete from import_row i where i.place > ${last}
    )
    select count(*)::int as count
    from import_row i
    where i.place <= ${last}`;
};
