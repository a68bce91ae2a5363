import { createHash } from 'node:crypto';
import { hexToUuid } from '@fibre/dto';

const ID_BYTES = 16;
const NUMBER_BYTES = 6;
const DIGEST_BYTES = 8;
const PLAIN_BYTES = ID_BYTES + NUMBER_BYTES + DIGEST_BYTES;
/** How many extra numbers a cursor carries if its listing needs any. */
const CARRIED = 2;

/** A client's position in a listing. */
export class Cursor {
  constructor(
    /** Id of the first record of the page. */
    readonly from: string,
    /** Number of records in the whole listing, as counted for the first page. */
    readonly total: number,
    /** The listing that the cursor belongs to; see {@link listingDigest}. */
    readonly listing: string,
    /** Extra values that the listing needs to continue: non-negative whole numbers. */
    readonly carried: readonly number[] = [],
  ) {}

  /** @returns `undefined` if the text did not come from {@link toString} */
  static parse(text: unknown): Cursor | undefined {
    if (typeof text !== 'string') return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const numbers = (bytes.length - PLAIN_BYTES) / NUMBER_BYTES;
    if ((numbers !== 0 && numbers !== CARRIED) || bytes.toString('base64url') !== text) return undefined;
    return new Cursor(
      hexToUuid(bytes.toString('hex', 0, ID_BYTES)),
      bytes.readUIntBE(ID_BYTES, NUMBER_BYTES),
      bytes.toString('hex', ID_BYTES + NUMBER_BYTES, PLAIN_BYTES),
      Array.from({ length: numbers }, (_, index) => bytes.readUIntBE(PLAIN_BYTES + index * NUMBER_BYTES, NUMBER_BYTES)),
    );
  }

  /** @returns base64url text of 40 characters, or 56 with two numbers */
  toString(): string {
    const bytes = Buffer.alloc(PLAIN_BYTES + this.carried.length * NUMBER_BYTES);
    bytes.write(this.from.replaceAll('-', ''), 'hex');
    bytes.writeUIntBE(this.total, ID_BYTES, NUMBER_BYTES);
    bytes.write(this.listing, ID_BYTES + NUMBER_BYTES, 'hex');
    for (const [index, number] of this.carried.entries()) bytes.writeUIntBE(number, PLAIN_BYTES + index * NUMBER_BYTES, NUMBER_BYTES);
    return bytes.toString('base64url');
  }
}

/**
 * Short digest of a listing and its filters, so that a cursor works only for the listing it came from.
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
