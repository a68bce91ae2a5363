import { createHash } from 'node:crypto';

/** 32 hexadecimal digits in the form of RFC 9562 section 4. */
const hexToUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** Where a walk stands. */
export interface Cursor {
  /** Id of the first record of the page. */
  readonly from: string;
  /** Records in the whole listing, as counted when the walk began. */
  readonly total: number;
  /** Which listing the walk goes through, see {@link listingDigest}. */
  readonly listing: string;
}

const [ID_BYTES, TOTAL_BYTES, DIGEST_BYTES] = [16, 6, 8];

/** @returns base64url text of 40 characters */
export function encodeCursor({ from, total, listing }: Cursor): string {
  const bytes = Buffer.alloc(ID_BYTES + TOTAL_BYTES + DIGEST_BYTES);
  bytes.write(from.replaceAll('-', ''), 'hex');
  bytes.writeUIntBE(total, ID_BYTES, TOTAL_BYTES);
  bytes.write(listing, ID_BYTES + TOTAL_BYTES, 'hex');
  return bytes.toString('base64url');
}

/** @returns `undefined` for anything that {@link encodeCursor} does not make. */
export function decodeCursor(text: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const whole = bytes.length === ID_BYTES + TOTAL_BYTES + DIGEST_BYTES && bytes.toString('base64url') === text;
  if (!whole) return undefined;
  return {
    from: hexToUuid(bytes.toString('hex', 0, ID_BYTES)),
    total: bytes.readUIntBE(ID_BYTES, TOTAL_BYTES),
    listing: bytes.toString('hex', ID_BYTES + TOTAL_BYTES),
  };
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
