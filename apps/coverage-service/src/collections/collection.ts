/** The two collections an access node can stand in (SPEC section 3.1). */
export const COLLECTIONS = ['nodes', 'prenodes'] as const;
export type Collection = (typeof COLLECTIONS)[number];
