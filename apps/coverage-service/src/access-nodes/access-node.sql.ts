import { type Listing, type Statement, statementOf } from '@fibre/database';
import type { Timestamp } from '@fibre/dto';
import type { Collection } from './access-node.entity.js';
import { ACCESS_NODE_MEMBERS } from './access-node.response.js';
import type { SettableFields } from './access-nodes.repository.js';

/** Filters of the listing; absent ones do not narrow it. */
export interface AccessNodeFilters {
  readonly target: Collection;
  readonly relation_id?: string;
  readonly token?: string;
  readonly technology?: string;
  readonly status?: string;
  readonly customer_reference?: string;
  readonly modified_since?: Timestamp;
}

const CONDITIONS: readonly (readonly [keyof AccessNodeFilters, (value: string) => string])[] = [
  ['target', (value) => `n.collection = ${value}`],
  ['relation_id', (value) => `n.relation_id = ${value}`],
  ['token', (value) => `n.token = ${value}`],
  // The collation makes lower() an ASCII matter, whatever the locale of the database.
  ['technology', (value) => `lower(n.technology collate "C") = lower(${value}::text collate "C")`],
  ['status', (value) => `n.status = ${value}`],
  ['customer_reference', (value) => `n.customer_reference = ${value}`],
  ['modified_since', (value) => `n.modified_at >= ${value}::timestamptz`],
];

/** The columns are bound in the order they are named; only filters that are there take part, so each set has its own plan. */
function narrowed(tenant: string, filters: AccessNodeFilters): { where: string; values: unknown[] } {
  const values: unknown[] = [tenant];
  const conditions = CONDITIONS.flatMap(([name, condition]) => {
    if (filters[name] === undefined) return [];
    const value = filters[name];
    values.push(typeof value === 'object' ? value.utc : value);
    return condition(`$${values.length}`);
  });
  return { where: ['n.tenant = $1', ...conditions].join(' and '), values };
}

/** The listing, oldest first. */
export function accessNodeListing(tenant: string, filters: AccessNodeFilters): Listing {
  const { where, values } = narrowed(tenant, filters);
  return {
    label: 'access-nodes',
    values,
    records: ({ from, limit }) =>
      `select n.* from access_node n where ${where} ${from === undefined ? '' : `and n.node_id >= ${from}`} order by n.node_id limit ${limit}`,
    rows: `select 1 from access_node n where ${where}`,
    key: 'node_id',
    alias: 'n',
    members: ACCESS_NODE_MEMBERS,
  };
}

/** Changes a node in one of these versions, in every version without them: the node as it is then. */
export function updateNode(tenant: string, nodeId: string, changes: Partial<SettableFields>, versions?: readonly number[]): Statement {
  const values: unknown[] = [tenant, nodeId, versions ?? null];
  const assignments = Object.entries(changes).map(([column, value]) => `${column} = $${values.push(value)}`);
  const text = `
    update access_node n
    set ${assignments.join(', ')}, version = n.version + 1, modified_at = date_trunc('milliseconds', now())
    where n.tenant = $1 and n.node_id = $2 and ($3::int[] is null or n.version = any($3::int[]))
    returning n.*`;
  return statementOf('access-nodes-update', text, values);
}

/** Locks the pre-production nodes of a relation, in one order for everybody, until the transaction ends. */
export const lockPrenodes = (tenant: string, relationId: string): Statement => ({
  name: 'access-nodes-lock-prenodes',
  text: `
    select from access_node n
    where n.tenant = $1 and n.relation_id = $2 and n.collection = 'prenodes'
    order by n.node_id
    for update`,
  values: [tenant, relationId],
});

/**
 * Promotes the pre-production nodes of a relation: `found`, `inserted`, `updated`.
 *
 * A node whose reference stands in production replaces that node's settable fields and disappears, and it does so only
 * if the production node was still there to be updated: `found` beyond `inserted + updated` asks for another round.
 * It locks too: a node that came after `lockPrenodes` may be changed meanwhile, and the change would be lost.
 */
export const promotePrenodes = (tenant: string, relationId: string): Statement => ({
  name: 'access-nodes-promote',
  text: `
    with found as materialized (
      select p.*, n.node_id as twin_id
      from access_node p
      left join access_node n
        on n.tenant = p.tenant and n.relation_id = p.relation_id and n.collection = 'nodes'
        and n.customer_reference = p.customer_reference
      where p.tenant = $1 and p.relation_id = $2 and p.collection = 'prenodes'
      for update of p
    ), updated as (
      update access_node n
      set token = f.token, latitude = f.latitude, longitude = f.longitude, technology = f.technology, status = f.status,
        country = f.country, address_id = f.address_id, lot_id = f.lot_id,
        version = n.version + 1, modified_at = date_trunc('milliseconds', now())
      from found f
      where n.node_id = f.twin_id and n.collection = 'nodes' and n.customer_reference = f.customer_reference
      returning f.node_id
    ), replaced as (
      delete from access_node p using updated u where p.node_id = u.node_id
    ), inserted as (
      update access_node p
      set collection = 'nodes', version = p.version + 1, modified_at = date_trunc('milliseconds', now())
      from found f
      where p.node_id = f.node_id and f.twin_id is null and p.collection = 'prenodes'
      returning p.node_id
    )
    select
      (select count(*)::int from found) as found,
      (select count(*)::int from inserted) as inserted,
      (select count(*)::int from updated) as updated`,
  values: [tenant, relationId],
});

/** Deletes a relation's nodes of one collection. */
export const deleteRelation = (tenant: string, relationId: string, collection: Collection): Statement => ({
  name: 'access-nodes-delete-relation',
  text: `delete from access_node n where n.tenant = $1 and n.relation_id = $2 and n.collection = $3`,
  values: [tenant, relationId, collection],
});

/** The node of a relation and collection that has a customer reference: `node_id`. */
export const findByReference = (tenant: string, relationId: string, collection: Collection, reference: string): Statement => ({
  name: 'access-nodes-by-reference',
  text: `
    select n.node_id from access_node n
    where n.tenant = $1 and n.relation_id = $2 and n.collection = $3 and n.customer_reference = $4`,
  values: [tenant, relationId, collection, reference],
});
