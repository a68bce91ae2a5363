import { bound, join, jsonObjectText, type Listing, pageBy, raw, type Sql, sql } from '@fibre/database';
import type { OrderedPageQuery } from '@fibre/pagination';
import type { ListAccessNodesQuery } from './access-node-filters.requests.js';
import { MEMBERS } from './access-node.sql.js';

/** Filters of the listing; absent ones are ignored. */
export type AccessNodeFilters = Omit<ListAccessNodesQuery, keyof OrderedPageQuery>;

/** Whether a node `n` can be ordered by a date. Every node can if the date is null. */
export const isAvailableBy = (date: Sql): Sql => sql`coalesce(n.available_from <= ${date}::date, true)`;

/** Whether at least one unit of a node `n` is connected. */
export const IS_CONNECTED = raw('coalesce(n.units_connected > 0, false)');

const CONDITIONS: Readonly<Record<keyof AccessNodeFilters, (value: Sql, sent: unknown) => Sql>> = {
  target: (value) => sql`n.collection = ${value}`,
  relation_id: (value) => sql`n.relation_id = ${value}`,
  token: (value) => sql`n.token = ${value}`,
  // With this collation, lower() changes only ASCII letters, whatever the database's locale.
  technology: (value) => sql`lower(n.technology collate "C") = lower(${value}::text collate "C")`,
  status: (value) => sql`n.status = ${value}`,
  customer_reference: (value) => sql`n.customer_reference = ${value}`,
  address_id: (value) => sql`n.address_id = ${value}`,
  available_until: (value) => isAvailableBy(value),
  // In words of its own, because an index has only the connected nodes.
  connected: (_value, sent) => (sent === 'true' ? sql`n.units_connected > 0` : sql`not ${IS_CONNECTED}`),
  modified_since: (value) => sql`n.modified_at >= ${value}::timestamptz`,
  created_by: (value) => sql`n.created_by = ${value}`,
  modified_by: (value) => sql`n.modified_by = ${value}`,
};
const FILTERS = Object.keys(CONDITIONS) as (keyof AccessNodeFilters)[];

/** Conditions on a node `n`. Only filters in use are included, so each combination has its own plan. */
export const filterConditions = (filters: Partial<AccessNodeFilters>): Sql[] =>
  FILTERS.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : CONDITIONS[name](bound(typeof value === 'object' ? value.utc : value), value);
  });

/** The listing, by id. */
export function accessNodeListing(tenant: string, filters: AccessNodeFilters): Listing {
  const where = join([sql`n.tenant = ${tenant}`, ...filterConditions(filters)], ' and ');
  return {
    label: 'access-nodes',
    records: (place) => sql`select n.* from access_node n where ${where} ${pageBy('n.node_id', place)}`,
    rows: sql`select 1 from access_node n where ${where}`,
    order: [{ column: 'node_id', type: 'uuid' }],
    alias: 'n',
    json: jsonObjectText(MEMBERS),
  };
}
