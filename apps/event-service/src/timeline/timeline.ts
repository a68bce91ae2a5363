/** Types of events that change the state of an entity; a timeline has at most one of them at any instant. */
export const LIFECYCLE_TYPES = ['activation', 'update', 'deactivation'] as const;
export type LifecycleType = (typeof LIFECYCLE_TYPES)[number];

/** Types of events (SPEC section 2.4). */
export const EVENT_TYPES = [...LIFECYCLE_TYPES, 'notification'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * States of an entity: `active` if its last lifecycle event is an activation or update, `inactive` if it is a deactivation, `announced` if
 * there are only notifications.
 */
export const ENTITY_STATES = ['active', 'inactive', 'announced'] as const;
export type EntityState = (typeof ENTITY_STATES)[number];

/** Key of a timeline: tenant, namespace and entity. */
export interface TimelineKey {
  readonly tenant: string;
  readonly namespaceId: string;
  readonly entityId: string;
  /** The shard key of the entity. */
  readonly shardKey: number;
}

/** Tenant and namespace and, optionally, one of their entities. */
export type Scope = Pick<TimelineKey, 'tenant' | 'namespaceId'> & Partial<TimelineKey>;

/** An event as named in an error. */
export interface NamedEvent<T extends EventType = EventType> {
  readonly event_id: string;
  readonly event_type: T;
  readonly event_at: string;
}
