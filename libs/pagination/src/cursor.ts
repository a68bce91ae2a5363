import { hexToUuid } from '@fibre/dto';

const ID_BYTES = 16;
const NUMBER_BYTES = 6;
export const DIGEST_BYTES = 8;
const PLAIN_BYTES = ID_BYTES + NUMBER_BYTES + DIGEST_BYTES;
/** How many extra numbers a cursor can carry. */
const MOST_CARRIED = 3;
/** Greatest number of records that the database counts. */
const MAX_TOTAL = 2 ** 31 - 1;

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

  /** @returns `undefined` if {@link toString} never returns this text. Clients can edit a cursor: {@link readPage} checks the rest. */
  static parse(text: unknown): Cursor | undefined {
    if (typeof text !== 'string') return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const numbers = (bytes.length - PLAIN_BYTES) / NUMBER_BYTES;
    if (!Number.isInteger(numbers) || numbers < 0 || numbers > MOST_CARRIED || bytes.toString('base64url') !== text) return undefined;
    const total = bytes.readUIntBE(ID_BYTES, NUMBER_BYTES);
    if (total > MAX_TOTAL) return undefined;
    return new Cursor(
      hexToUuid(bytes.toString('hex', 0, ID_BYTES)),
      total,
      bytes.toString('hex', ID_BYTES + NUMBER_BYTES, PLAIN_BYTES),
      Array.from({ length: numbers }, (_, index) => bytes.readUIntBE(PLAIN_BYTES + index * NUMBER_BYTES, NUMBER_BYTES)),
    );
  }

  /** Whether the cursor carries one number for each of these bounds, and none is greater than its bound. */
  carriesAtMost(bounds: readonly number[]): boolean {
    return this.carried.length === bounds.length && this.carried.every((number, index) => number <= bounds[index]!);
  }

  /** @returns base64url text of 40 characters, and 8 more for each number */
  toString(): string {
    const bytes = Buffer.alloc(PLAIN_BYTES + this.carried.length * NUMBER_BYTES);
    bytes.write(this.from.replaceAll('-', ''), 'hex');
    bytes.writeUIntBE(this.total, ID_BYTES, NUMBER_BYTES);
    bytes.write(this.listing, ID_BYTES + NUMBER_BYTES, 'hex');
    for (const [index, number] of this.carried.entries()) bytes.writeUIntBE(number, PLAIN_BYTES + index * NUMBER_BYTES, NUMBER_BYTES);
    return bytes.toString('base64url');
  }
}
