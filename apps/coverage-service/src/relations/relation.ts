/** Which relations a new node may name: any, or only those that its tenant has created. */
export const RELATION_MODES = ['open', 'registered'] as const;
export type RelationMode = (typeof RELATION_MODES)[number];
