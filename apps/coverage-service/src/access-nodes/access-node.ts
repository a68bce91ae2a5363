import type { Center } from '../geography/center.js';

/** The two collections an access node can stand in (SPEC section 3.1). */
export const COLLECTIONS = ['nodes', 'prenodes'] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** Stages of a node (SPEC section 2.1). */
export const TOKENS = ['planned', 'construction', 'operation'] as const;
export type Token = (typeof TOKENS)[number];

export const STATUSES = ['active', 'started', 'suspended', 'completed', 'terminated'] as const;
export type Status = (typeof STATUSES)[number];
export const DEFAULT_STATUS: Status = 'active';

/** Optional fields that the search shows to everybody. */
export const PUBLIC_FIELDS = ['technology', 'country', 'address_id', 'lot_id'] as const;
/** Optional fields that only the node's own tenant sees. */
export const PRIVATE_FIELDS = ['customer_reference'] as const;

/**
 * Every optional field of a node: a text, and `null` where it is not set.
 *
 * Pages, search, update and merge go by this list. A test holds to it what has to name each field: the requests, the
 * answers and the table. CONTRIBUTING.md says how to add a field.
 */
export const OPTIONAL_FIELDS = [...PUBLIC_FIELDS, ...PRIVATE_FIELDS] as const;
export type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** What a client sets of a node, by column. */
export interface SettableFields extends Center, Record<OptionalField, string | null> {
  readonly token: Token;
  readonly status: Status;
}

/** The columns that an update or a merge writes; their names never come from a request. */
export const SETTABLE_COLUMNS = [
  'token',
  'latitude',
  'longitude',
  'status',
  ...OPTIONAL_FIELDS,
] as const satisfies readonly (keyof SettableFields)[];
