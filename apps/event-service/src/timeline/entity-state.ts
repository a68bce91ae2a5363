/** States of an entity: its last lifecycle event is an activation or update; a deactivation; there are notifications alone. */
export const ENTITY_STATES = ['active', 'inactive', 'announced'] as const;
export type EntityState = (typeof ENTITY_STATES)[number];
