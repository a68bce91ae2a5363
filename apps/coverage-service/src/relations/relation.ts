/** Which relations a new node may name: any, or only those that its tenant has created. */
export const RELATION_MODES = ['open', 'registered'] as const;
export type RelationMode = (typeof RELATION_MODES)[number];

/** What a client sets of a relation, by column. */
export interface SettableFields {
  readonly name: string;
  readonly pip: string;
  readonly comment: string | null;
}

/** The columns that an update writes; their names never come from a request. */
export const SETTABLE_COLUMNS = ['name', 'pip', 'comment'] as const satisfies readonly (keyof SettableFields)[];
