import { createHash, randomBytes } from 'node:crypto';

/** Bits of a shard key: the length of the field `rand_a` in a UUIDv7. */
const SHARD_KEY_BITS = 12;

/** The shard of an id: the first 12 bits of its SHA-256. Stored with every row and inside every event id, so it must never change. */
export const shardKeyOf = (id: string): number => createHash('sha256').update(id).digest().readUInt16BE(0) >> (16 - SHARD_KEY_BITS);

/**
 * Event ids: UUIDv7 (RFC 9562 section 5.7) whose 12-bit field `rand_a` is the shard key, so that a read by id knows its shard. The first 14
 * bits of `rand_b` count ids of one shard key within a millisecond; the other 48 bits are random.
 */

/** Milliseconds that ids may run ahead of their clock in a burst. */
const MAX_AHEAD_MS = 20;
const COUNTER_LIMIT = 1 << 14;

/**
 * Makes ids that ascend within the process, because a listing by id should be in order of creation. Their clock moves forward with
 * the system clock but never back: if the system clock is set back, the ids' clock continues from where it was.
 *
 * An id with a smaller shard key than the previous id is only larger if its millisecond is later. So in a burst, ids use milliseconds ahead
 * of the clock, up to a limit; beyond that limit, only the milliseconds ascend.
 */
export class EventIds {
  /** Time of the clock when {@link elapsed} was zero. */
  private origin = -Infinity;
  private lastMs = 0;
  private lastShardKey = 0;
  private counter = 0;

  /** @param elapsed returns the milliseconds of a monotonic clock */
  constructor(private readonly elapsed: () => number = () => performance.now()) {}

  /** @param now time of the system clock; no id has an earlier time */
  next(shardKey: number, now: Date): string {
    const elapsed = this.elapsed();
    this.origin = Math.max(this.origin, now.getTime() - elapsed);
    const clock = Math.max(now.getTime(), Math.floor(this.origin + elapsed));
    let ms = Math.max(clock, this.lastMs);
    const descends = shardKey < this.lastShardKey || (shardKey === this.lastShardKey && this.counter + 1 === COUNTER_LIMIT);
    if (ms === this.lastMs && descends && ms - clock < MAX_AHEAD_MS) ms++;
    this.counter = ms === this.lastMs && shardKey === this.lastShardKey ? (this.counter + 1) % COUNTER_LIMIT : 0;
    this.lastMs = ms;
    this.lastShardKey = shardKey;
    return format(ms, shardKey, this.counter, randomBytes(6));
  }

  /** Makes subsequent ids larger than an id from another process. */
  follow(eventId: string): void {
    const ms = msInId(eventId) + 1;
    this.lastMs = Math.max(this.lastMs, ms);
    this.origin = Math.max(this.origin, ms - this.elapsed());
  }
}

/** The smallest id of a millisecond: every event created since then has a larger id. */
export const leastIdAt = (ms: number): string => format(Math.max(0, ms), 0, 0, Buffer.alloc(6));

/** The shard key in any UUID. If the UUID is not one of our event ids, a lookup with this key finds nothing. */
export const shardKeyInId = (eventId: string): number => parseInt(eventId.slice(15, 18), 16);

const msInId = (eventId: string): number => parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16);

function format(ms: number, shardKey: number, counter: number, random: Buffer): string {
  const time = ms.toString(16).padStart(12, '0');
  const variant = (0x8000 | counter).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${shardKey.toString(16).padStart(3, '0')}-${variant}-${random.toString('hex')}`;
}
