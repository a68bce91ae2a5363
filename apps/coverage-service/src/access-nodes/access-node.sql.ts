import { type JsonMember, jsonObjectText, type Listing, type Statement, statementOf, timestampText } from '@fibre/database';
import type { PageQuery } from '@fibre/pagination';
import { heldRelations } from './registered-relations.js';
import type { NewAccessNode } from './access-node.entity.js';
import { type Collection, FIELD_TYPES, OPTIONAL_FIELDS, PRIVATE_FIELDS, SETTABLE_COLUMNS, type SettableFields } from './access-node.js';
import type { ListAccessNodesQuery } from './access-node.requests.js';

/** Filters of the listing; absent ones are ignored. */
export type AccessNodeFilters = Omit<ListAccessNodesQuery, keyof PageQuery>;

const CONDITIONS: Readonly<Record<keyof AccessNodeFilters, (value: string) => string>> = {
  target: (value) => `n.collection = ${value}`,
  relation_id: (value) => `n.relation_id = ${value}`,
  token: (value) => `n.token = ${value}`,
  // With this collation, lower() changes only ASCII letters, whatever the database's locale.
  technology: (value) => `lower(n.technology collate "C") = lower(${value}::text collate "C")`,
  status: (value) => `n.status = ${value}`,
  customer_reference: (value) => `n.customer_reference = ${value}`,
  address_id: (value) => `n.address_id = ${value}`,
  modified_since: (value) => `n.modified_at >= ${value}::timestamptz`,
};
const FILTERS = Object.keys(CONDITIONS) as (keyof AccessNodeFilters)[];

/** JSON of a node `n`: the members of `AccessNodeResponse`, in the same order; a test checks this. */
export const MEMBERS: readonly JsonMember[] = [
  { name: 'node_id', sql: 'n.node_id', as: 'plain' },
  { name: 'relation_id', sql: 'n.relation_id', as: 'plain' },
  { name: 'collection', sql: 'n.collection', as: 'plain' },
  { name: 'token', sql: 'n.token', as: 'plain' },
  { name: 'center', sql: `n.latitude || ', ' || n.longitude`, as: 'plain' },
  { name: 'status', sql: 'n.status', as: 'plain' },
  ...OPTIONAL_FIELDS.map((name): JsonMember => {
    const isText = FIELD_TYPES[name] === 'text';
    return { name, sql: isText ? `n.${name}` : `n.${name}::text`, as: isText ? 'text' : 'json', optional: true };
  }),
  { name: 'tenant', sql: 'n.tenant', as: 'plain' },
  { name: 'created_at', sql: timestampText('n.created_at'), as: 'plain' },
  { name: 'modified_at', sql: timestampText('n.modified_at'), as: 'plain' },
];

/** Public members of a production node. */
export const PUBLIC_MEMBERS = MEMBERS.filter(({ name }) => !(PRIVATE_FIELDS as readonly string[]).includes(name));

/** Conditions on a node `n`; appends their values to `values`. Only filters in use are included, so each combination has its own plan. */
export const filterConditions = (filters: Partial<AccessNodeFilters>, values: unknown[]): string[] =>
  FILTERS.flatMap((name) => {
    const value = filters[name];
    if (value === undefined) return [];
    return CONDITIONS[name](`$${values.push(typeof value === 'object' ? value.utc : value)}`);
  });

/** The listing, oldest first. */
export function accessNodeListing(tenant: string, filters: AccessNodeFilters): Listing {
  const values: unknown[] = [tenant];
  const where = ['n.tenant = $1', ...filterConditions(filters, values)].join(' and ');
  return {
    label: 'access-nodes',
    values,
    records: ({ from, limit }) =>
      `select n.* from access_node n where ${where} ${from === undefined ? '' : `and n.node_id >= ${from}`} order by n.node_id limit ${limit}`,
    rows: `select 1 from access_node n where ${where}`,
    key: 'node_id',
    alias: 'n',
    json: jsonObjectText(MEMBERS),
  };
}

/** A node as shown in responses. */
export interface ShownNode {
  readonly node_id: string;
  readonly version: number;
  /** JSON of the node. */
  readonly json: string;
}

const SHOWN = `n.node_id, n.version, ${jsonObjectText(MEMBERS)} as json`;

/** Reads one node as a {@link ShownNode}. */
export const selectNode = (tenant: string, nodeId: string): Statement => ({
  name: 'access-nodes-read',
  text: `select ${SHOWN} from access_node n where n.tenant = $1 and n.node_id = $2`,
  values: [tenant, nodeId],
});

/** The columns of a new node; the first two identify its relation. */
const NEW_COLUMNS = [
  'tenant',
  'relation_id',
  'node_id',
  'collection',
  ...SETTABLE_COLUMNS,
] as const satisfies readonly (keyof NewAccessNode)[];

/** Stores a node and returns it as a {@link ShownNode}. Stores and returns nothing if its relation must be registered but is not. */
export function insertNode(node: NewAccessNode, isRegistered: boolean): Statement {
  const values = NEW_COLUMNS.map((column) => node[column]);
  const row = `select ${values.map((_, index) => `$${index + 1}`).join(', ')}`;
  const rows = isRegistered ? `${row} from (${heldRelations('$1', 'array[$2::uuid]')}) held` : row;
  return statementOf('access-nodes-insert', `insert into access_node as n (${NEW_COLUMNS.join(', ')}) ${rows} returning ${SHOWN}`, values);
}

/** Changes a node that is at one of these versions (at any version if none are given) and returns it as a {@link ShownNode}. */
export function updateNode(tenant: string, nodeId: string, changes: Partial<SettableFields>, versions?: readonly number[]): Statement {
  const values: unknown[] = [tenant, nodeId, versions ?? null];
  const changed = SETTABLE_COLUMNS.filter((column) => changes[column] !== undefined);
  const assignments = changed.map((column) => `${column} = $${values.push(changes[column])}`);
  const text = `
    update access_node n
    set ${assignments.join(', ')}, version = n.version + 1, modified_at = date_trunc('milliseconds', statement_timestamp())
    where n.tenant = $1 and n.node_id = $2 and ($3::int[] is null or n.version = any($3::int[]))
    returning ${SHOWN}`;
  return statementOf('access-nodes-update', text, values);
}

/** Selects the `node_id` of the node with this customer reference in a relation and collection. */
export const findByReference = (tenant: string, relationId: string, collection: Collection, reference: string): Statement => ({
  name: 'access-nodes-by-reference',
  text: `
    select n.node_id from access_node n
    where n.tenant = $1 and n.relation_id = $2 and n.collection = $3 and n.customer_reference = $4`,
  values: [tenant, relationId, collection, reference],
});
