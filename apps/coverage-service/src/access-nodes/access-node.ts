import type { Center } from '../geography/center.js';

/** Used only by examples, so that deleting or merging this relation affects nothing else. */
export const EXAMPLE_RELATION = '0192d3a5-7c10-7e8b-a2c6-3f9d5b7a1e03';

/** The two collections of access nodes (SPEC section 3.1). */
export const COLLECTIONS = ['nodes', 'prenodes'] as const;
export type Collection = (typeof COLLECTIONS)[number];

/** Stages of a node (SPEC section 2.1). */
export const TOKENS = ['planned', 'construction', 'operation'] as const;
export type Token = (typeof TOKENS)[number];

export const STATUSES = ['active', 'started', 'suspended', 'completed', 'terminated'] as const;
export type Status = (typeof STATUSES)[number];
export const DEFAULT_STATUS: Status = 'active';

/** When an ISP may promise a connection at a node (docs/api-design.md). */
export const OFFERS = ['now', 'from', 'planned'] as const;
export type Offer = (typeof OFFERS)[number];

/** Column types of optional fields, and their types in JSON. */
interface FieldTypes {
  readonly text: string;
  readonly date: string;
  readonly integer: number;
  readonly 'double precision': number;
}
type FieldType = keyof FieldTypes;

const publicFields = {
  technology: 'text',
  country: 'text',
  address_id: 'text',
  address: 'text',
  lot_id: 'text',
  available_from: 'date',
  units: 'integer',
  units_connected: 'integer',
  download_mbps: 'double precision',
  upload_mbps: 'double precision',
} as const satisfies Record<string, FieldType>;
const privateFields = { customer_reference: 'text' } as const satisfies Record<string, FieldType>;
const fields = { ...publicFields, ...privateFields };
export type OptionalField = keyof typeof fields;

/** Every optional field of a node and its column type. CONTRIBUTING.md explains how to add one. */
export const FIELD_TYPES: Readonly<Record<OptionalField, FieldType>> = fields;
/** Optional fields that the search shows to everyone. */
export const PUBLIC_FIELDS = Object.keys(publicFields) as (keyof typeof publicFields)[];
/** Optional fields that only the owner sees. */
export const PRIVATE_FIELDS = Object.keys(privateFields) as (keyof typeof privateFields)[];
export const OPTIONAL_FIELDS: readonly OptionalField[] = [...PUBLIC_FIELDS, ...PRIVATE_FIELDS];

/** The optional fields of a node; `null` if not set. */
type OptionalValues = { readonly [Field in OptionalField]: FieldTypes[(typeof fields)[Field]] | null };

/** The fields of a node that a client can set, by column. */
export interface SettableFields extends Center, OptionalValues {
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
