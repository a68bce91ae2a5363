import type { Timestamp } from '@fibre/dto';
import { LIFECYCLE_TYPES } from '../timeline/order-rules.js';

/** Types of events (SPEC section 2.4). */
export const EVENT_TYPES = [...LIFECYCLE_TYPES, 'notification'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An event as a refusal names it. */
export interface NamedEvent<T extends EventType = EventType> {
  readonly event_id: string;
  readonly event_type: T;
  readonly event_at: string;
}

/** Which timeline: one tenant, namespace and entity. */
export interface TimelineKey {
  readonly tenant: string;
  readonly namespaceId: string;
  readonly entityId: string;
  /** Of the entity. */
  readonly shardKey: number;
}

/** What a client may overwrite, in the form in which it is stored and compared. */
export interface UserAttributes {
  readonly usrReference: string | null;
  /** Canonical JSON. */
  readonly usrAttributes: string | null;
  readonly comment: string | null;
}

/** A valid request, in the form in which it is stored and compared. */
export interface RequestedEvent extends UserAttributes {
  readonly type: EventType;
  /** Its date is the one in the time zone. */
  readonly at: Timestamp;
  readonly timezone: string;
  /** Canonical JSON. */
  readonly sysAttributes: string | null;
  readonly sysHash: string;
  /** The ISP that has to be in the registry; absent where none has to. */
  readonly isp?: string;
}

/** What the service adds to a request when it becomes an event. */
export interface Creation {
  readonly eventId: string;
  readonly now: Date;
}
