import { createHash } from 'node:crypto';

/** Bits of a shard key: as many as a UUIDv7 has to spare beside its version. */
const SHARD_KEY_BITS = 12;

/**
 * Which shard something belongs to: the first 12 bits of the SHA-256 of its id. Stored with every row and inside every
 * event id, so this must never change.
 */
export const shardKeyOf = (id: string): number => createHash('sha256').update(id).digest().readUInt16BE(0) >> (16 - SHARD_KEY_BITS);
