import { createHash } from 'node:crypto';
import type { TimelineKey } from './timeline.js';

/**
 * Event ids are UUIDv7 (RFC 9562 section 5.7) of the event's `created_at`, whose 12-bit field `rand_a` is the shard key, so that a read by
 * id knows its shard. `append_event` makes them.
 */

/** Bits of a shard key: the length of the field `rand_a` in a UUIDv7. */
const SHARD_KEY_BITS = 12;

/** The shard of an id: the first 12 bits of its SHA-256. Stored with every row and inside every event id, so it must never change. */
export const shardKeyOf = (id: string): number => createHash('sha256').update(id).digest().readUInt16BE(0) >> (16 - SHARD_KEY_BITS);

/** The shard key in any UUID. If the UUID is not one of our event ids, a lookup with this key finds nothing. */
export const shardKeyInId = (eventId: string): number => parseInt(eventId.slice(15, 18), 16);

/** The smallest id of a millisecond: every event created since then has a larger id. */
export function leastIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The key of an entity's timeline. */
export const keyOf = (tenant: string, namespaceId: string, entityId: string): TimelineKey => ({
  tenant,
  namespaceId,
  entityId,
  shardKey: shardKeyOf(entityId),
});
