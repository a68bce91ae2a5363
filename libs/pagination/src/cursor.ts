import { createHash } from 'node:crypto';
import { hexToUuid } from '@fibre/dto';

const ID_BYTES = 16;
const TOTAL_BYTES = 6;
const DIGEST_BYTES = 8;

/** Where a walk stands. */
export class Cursor {
  constructor(
    /** Id of the first record of the page. */
    readonly from: string,
    /** Records in the whole listing, as counted when the walk began. */
    readonly total: number,
    /** Which listing the walk goes through, see {@link listingDigest}. */
    readonly listing: string,
  ) {}

  /** @returns `undefined` for anything that {@link toString} does not make. */
  static parse(text: unknown): Cursor | undefined {
    if (typeof text !== 'string') return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const whole = bytes.length === ID_BYTES + TOTAL_BYTES + DIGEST_BYTES && bytes.toString('base64url') === text;
    if (!whole) return undefined;
    const total = bytes.readUIntBE(ID_BYTES, TOTAL_BYTES);
    return new Cursor(hexToUuid(bytes.toString('hex', 0, ID_BYTES)), total, bytes.toString('hex', ID_BYTES + TOTAL_BYTES));
  }

  /** @returns base64url text of 40 characters */
  toString(): string {
    const bytes = Buffer.alloc(ID_BYTES + TOTAL_BYTES + DIGEST_BYTES);
    bytes.write(this.from.replaceAll('-', ''), 'hex');
    bytes.writeUIntBE(this.total, ID_BYTES, TOTAL_BYTES);
    bytes.write(this.listing, ID_BYTES + TOTAL_BYTES, 'hex');
    return bytes.toString('base64url');
  }
}

/**
 * Short digest of a listing and its filters: a cursor of one does not work in another.
 *
 * @param filters in any order; absent ones do not count
 */
export function listingDigest(listing: string, filters: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(filters).filter(([, value]) => value !== undefined);
  const canonical = JSON.stringify([listing, ...present.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256')
    .update(canonical)
    .digest('hex')
    .slice(0, 2 * DIGEST_BYTES);
}
