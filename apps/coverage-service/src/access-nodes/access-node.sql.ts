import {
  bound,
  briefWait,
  given,
  join,
  type JsonMember,
  jsonObjectText,
  raw,
  type Sql,
  sql,
  type Statement,
  statement,
  timestampText,
} from '@fibre/database';
import { AUTHORS } from '@fibre/dto';
import { takeRelationLocks } from '../relation-locks/relation-lock.sql.js';
import { heldRelations } from '../relation-locks/registered-relations.js';
import type { NewAccessNode } from './access-node.entity.js';
import {
  type Collection,
  FIELD_TYPES,
  OPTIONAL_FIELDS,
  type OptionalField,
  PRIVATE_FIELDS,
  SETTABLE_COLUMNS,
  type SettableFields,
} from './access-node.js';
import type { Units } from '../node-rules/connected-units.js';

/** JSON of a node `n`: the members of `AccessNodeResponse`, in the same order; a test checks this. */
export const MEMBERS: readonly JsonMember[] = [
  { name: 'node_id', sql: 'n.node_id', as: 'plain' },
  { name: 'relation_id', sql: 'n.relation_id', as: 'plain' },
  { name: 'collection', sql: 'n.collection', as: 'plain' },
  { name: 'token', sql: 'n.token', as: 'plain' },
  { name: 'center', sql: `n.latitude || ', ' || n.longitude`, as: 'plain' },
  { name: 'status', sql: 'n.status', as: 'plain' },
  ...OPTIONAL_FIELDS.map((name): JsonMember => {
    const isText = ['text', 'date'].includes(FIELD_TYPES[name]);
    return { name, sql: isText ? `n.${name}` : `n.${name}::text`, as: isText ? 'text' : 'json', optional: true };
  }),
  { name: 'tenant', sql: 'n.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('n.created_at'), as: 'plain' },
  { name: 'created_by', sql: 'n.created_by', as: 'text', optional: true },
  { name: 'modified_at', sql: timestampText('n.modified_at'), as: 'plain' },
  { name: 'modified_by', sql: 'n.modified_by', as: 'text', optional: true },
];

/** Public members of a production node. */
export const PUBLIC_MEMBERS = MEMBERS.filter(({ name }) => !([...PRIVATE_FIELDS, ...AUTHORS] as readonly string[]).includes(name));

/**
 * What an ISP may promise at a node `n` today, one of `OFFERS`; null for a terminated node, which cannot be sold. Today is a day in UTC, so
 * that it is the same on every server.
 */
export const OFFER = `case when n.status = 'terminated' then null
    when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
    when n.token = 'operation' then 'now' else 'planned' end`;

/** What ISPs see of a production node. The feeds lack the offer, because it changes without a change of the node. */
export const OFFERED_MEMBERS: readonly JsonMember[] = [...PUBLIC_MEMBERS, { name: 'offer', sql: OFFER, as: 'plain', optional: true }];

/**
 * An item of a select list: an optional field of a node `n`. Dates are text, because their format depends on a setting of the database, and
 * the driver would turn them into instants.
 */
export const selectField = (name: OptionalField): string =>
  FIELD_TYPES[name] === 'date' ? `to_char(n.${name}, 'YYYY-MM-DD') as ${name}` : `n.${name}`;

/** A node as shown in responses. */
export interface ShownNode {
  readonly node_id: string;
  readonly version: number;
  /** JSON of the node. */
  readonly json: string;
}

const SHOWN = raw(`n.node_id, n.version, ${jsonObjectText(MEMBERS)} as json`);

/** Reads one node as a {@link ShownNode}. */
export const selectNode = (tenant: string, nodeId: string): Statement =>
  statement('access-nodes-read')`select ${SHOWN} from access_node n where n.tenant = ${tenant} and n.node_id = ${nodeId}`;

/** The settable columns of a table, for a row comparison or a `select`. */
export const settable = (alias: string): Sql => raw(SETTABLE_COLUMNS.map((column) => `${alias}.${column}`).join(', '));

/** Whether the settable columns of two tables differ. */
export const differ = (one: string, other: string): Sql => sql`(${settable(one)}) is distinct from (${settable(other)})`;

const NEW_COLUMNS = [
  'tenant',
  'relation_id',
  'node_id',
  'collection',
  'created_by',
  'modified_by',
  ...SETTABLE_COLUMNS,
] as const satisfies readonly (keyof NewAccessNode)[];

/** Stores a node and returns it as a {@link ShownNode}. Stores and returns nothing if its relation must be registered but is not. */
export function insertNode(node: NewAccessNode, isRegistered: boolean): Statement {
  const row = Object.fromEntries(NEW_COLUMNS.map((column) => [column, bound(node[column])])) as Record<(typeof NEW_COLUMNS)[number], Sql>;
  const held = isRegistered ? sql`, (${heldRelations(row.tenant, sql`array[${row.relation_id}::uuid]`)}) held` : undefined;
  const columns = [...NEW_COLUMNS, 'created_at', 'modified_at'];
  return statement('access-nodes-insert')`insert into access_node as n (${raw(columns.join(', '))})
    select ${join(Object.values(row), ', ')}, written.at, written.at from (select write_time() as at) written${held}
    where ${briefWait}
    returning ${SHOWN}`;
}

/** What an update writes, and whether it would change a node `n`. */
const changesOf = (changes: Partial<SettableFields>): { assignments: Sql[]; differs: Sql } => {
  const columns = SETTABLE_COLUMNS.filter((column) => changes[column] !== undefined).map((name) => ({ name, value: bound(changes[name]) }));
  return {
    assignments: columns.map(({ name, value }) => sql`${raw(name)} = ${value}`),
    differs: join([raw('false'), ...columns.map(({ name, value }) => sql`n.${raw(name)} is distinct from ${value}`)], ' or '),
  };
};

/** What every change of a node writes besides its fields: when, by whom, and in which publication. */
export const modifiedNow = (actor: string | null): Sql =>
  sql`modified_at = (select write_time()), modified_by = ${actor}, publication = default`;

/** Whether a node `n` is at one of these versions; at any version if none are given. */
function isAtAny(versions: readonly number[] | undefined): Sql {
  const any = bound(versions ?? null);
  return sql`(${any}::int[] is null or n.version = any(${any}::int[]))`;
}

/**
 * Changes a node that is at one of these versions (at any version if none are given) and returns it as a {@link ShownNode}. A node that
 * already has the values is not written, so that copies of the network need not read it again.
 */
export function updateNode(
  tenant: string,
  actor: string | null,
  nodeId: string,
  changes: Partial<SettableFields>,
  versions?: readonly number[],
): Statement {
  const { assignments, differs } = changesOf(changes);
  return statement('access-nodes-update')`
    update access_node n
    set ${join(assignments, ', ')}, version = n.version + 1, ${modifiedNow(actor)}
    where n.tenant = ${tenant} and n.node_id = ${nodeId} and ${isAtAny(versions)} and (${differs}) and ${briefWait}
    returning ${SHOWN}`;
}

/** Selects a node that an update did not change as a {@link ShownNode}; if versions are given, only if it has one of them and the values. */
export const findUnchanged = (tenant: string, nodeId: string, changes: Partial<SettableFields>, versions?: readonly number[]): Statement =>
  statement('access-nodes-unchanged')`
    select ${SHOWN} from access_node n
    where n.tenant = ${tenant} and n.node_id = ${nodeId} ${given(versions, () => sql`and ${isAtAny(versions)} and not (${changesOf(changes).differs})`)}`;

/** Deletes a node that is at one of these versions (at any version if none are given) and returns its id. */
export const deleteNode = (tenant: string, nodeId: string, versions?: readonly number[]): Statement =>
  statement('access-nodes-delete')`
    delete from access_node n
    where n.tenant = ${tenant} and n.node_id = ${nodeId} and ${isAtAny(versions)} and ${briefWait}
    returning n.node_id`;

/** Locks the relations of these nodes against bulk work, which locks nodes in an order of its own. */
export function lockRelationsOf(tenant: string, ids: readonly string[]): Statement {
  const relations = sql`select n.relation_id from access_node n where n.tenant = ${tenant} and n.node_id = any(${ids}::uuid[])`;
  return statement('access-nodes-lock-relations')`${takeRelationLocks(tenant, relations)}`;
}

/** A node that a request names, and whether its changes differ from what the node has. */
export interface NamedNode extends Units {
  readonly node_id: string;
  readonly differs: boolean;
}

/** Selects each of these nodes as a {@link NamedNode}. @param locks whether it locks them until the transaction ends, always in the same order */
export const findNodes = (tenant: string, ids: readonly string[], changes: Partial<SettableFields>, locks: boolean): Statement =>
  statement('access-nodes-find')`
    select n.node_id, ${changesOf(changes).differs} as differs, n.units, n.units_connected
    from access_node n where n.tenant = ${tenant} and n.node_id = any(${ids}::uuid[])
    order by n.node_id ${locks ? raw('for update') : undefined}`;

/** Changes these nodes, which must be locked. */
export const updateNodes = (tenant: string, actor: string | null, ids: readonly string[], changes: Partial<SettableFields>): Statement =>
  statement('access-nodes-update-many')`
    update access_node n
    set ${join(changesOf(changes).assignments, ', ')}, version = n.version + 1, ${modifiedNow(actor)}
    where n.tenant = ${tenant} and n.node_id = any(${ids}::uuid[])`;

/** Deletes these nodes, which must be locked. */
export const deleteNodes = (tenant: string, ids: readonly string[]): Statement =>
  statement('access-nodes-delete-many')`delete from access_node n where n.tenant = ${tenant} and n.node_id = any(${ids}::uuid[])`;

/** Selects the `node_id` of the node with this customer reference in a relation and collection. */
export const findByReference = (tenant: string, relationId: string, collection: Collection, reference: string): Statement =>
  statement('access-nodes-by-reference')`
    select n.node_id from access_node n
    where n.tenant = ${tenant} and n.relation_id = ${relationId} and n.collection = ${collection} and n.customer_reference = ${reference}`;
