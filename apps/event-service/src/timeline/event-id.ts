import { randomBytes } from 'node:crypto';

/**
 * Event ids: UUIDv7 (RFC 9562 section 5.7) whose 12 bits `rand_a` hold the shard key, so that a read by id alone knows
 * its shard. Of `rand_b`, the first 14 bits count ids of one shard key within a millisecond; 48 stay random.
 */

/** Most that the ids of a process run ahead of its clock; a burst longer than that loses order within itself. */
const MAX_AHEAD_MS = 20;
const COUNTER_LIMIT = 1 << 14;

/** Makes ids that ascend within the process, as the listing by id is meant to be in order of creation. */
export class EventIds {
  private lastMs = 0;
  private lastShardKey = 0;
  private counter = 0;

  constructor(private readonly clock: () => number = Date.now) {}

  next(shardKey: number): string {
    const now = this.clock();
    let ms = Math.max(now, this.lastMs);
    if (ms - now > MAX_AHEAD_MS) ms = now;
    // The shard key stands before the counter: behind a larger one, only a later millisecond is larger.
    const follows = ms === this.lastMs;
    if (follows && (shardKey < this.lastShardKey || (shardKey === this.lastShardKey && this.counter + 1 === COUNTER_LIMIT))) ms++;
    this.counter = ms === this.lastMs && shardKey === this.lastShardKey ? this.counter + 1 : 0;
    this.lastMs = ms;
    this.lastShardKey = shardKey;
    return format(ms, shardKey, this.counter, randomBytes(6));
  }
}

/** The least id of a millisecond: every event created since then has a larger one. */
export const leastIdAt = (ms: number): string => format(Math.max(0, ms), 0, 0, Buffer.alloc(6));

/** The shard key inside an event id, of any UUID: one that is not ours is then not found there. */
export const shardKeyInId = (eventId: string): number => parseInt(eventId.slice(15, 18), 16);

function format(ms: number, shardKey: number, counter: number, random: Buffer): string {
  const time = ms.toString(16).padStart(12, '0');
  const variant = (0x8000 | counter).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${shardKey.toString(16).padStart(3, '0')}-${variant}-${random.toString('hex')}`;
}
