import type { Timestamp } from '@fibre/dto';
import type { EventType } from '../timeline/timeline.js';

/**
 * The attributes that a client may overwrite, with the types of their values; columns and members have the same names. SQL and the parsing
 * of requests use this list; the classes of requests and responses name the same attributes.
 */
export const USER_ATTRIBUTES = { usr_reference: 'text', usr_attributes: 'json', comment: 'text' } as const;
export type UserAttribute = keyof typeof USER_ATTRIBUTES;
export const USER_ATTRIBUTE_NAMES = Object.keys(USER_ATTRIBUTES) as readonly UserAttribute[];

/** The values as they are stored and compared: JSON is canonical. */
export type UserAttributes = Readonly<Record<UserAttribute, string | null>>;

/** A valid request, as stored and compared. */
export interface RequestedEvent {
  readonly type: EventType;
  /** The event's date is the date of this instant in `timezone`. */
  readonly at: Timestamp;
  readonly timezone: string;
  /** Canonical JSON. */
  readonly sysAttributes: string | null;
  readonly sysHash: string;
  /** The ISP of the event, and whether it must be registered. */
  readonly isp?: { readonly partnerId: string; readonly isRequired: boolean };
  readonly user: UserAttributes;
  /** Who sends it. It is no part of what makes two events the same. */
  readonly actor: string | null;
}
