import { invalidRequest } from '@fibre/problems';
import { Cursor, listingDigest } from './cursor.js';
import { NO_CURSOR, type Order, type PageQuery } from './page-query.js';

/** What a repository needs to read a page. */
export interface PageRequest {
  /** Maximum number of records to return, 1 to 2,000. */
  readonly size: number;
  /** Id of the first record; absent for the first page. */
  readonly from?: string;
  /** Absent if the listing has only one order. */
  readonly order?: Order;
  /** `carried` from the previous page. */
  readonly carried?: readonly number[];
}

/** The rows of a page, as read by a repository. */
export interface PageRows {
  /** The records as PostgreSQL wrote them: JSON objects separated by commas. The elements of the array must be joined with commas too. */
  readonly json: readonly string[];
  /** Id of the record after the last one of this page; absent on the last page. */
  readonly nextId?: string;
  /** Number of records in the whole listing. Only counted for the first page; `null` if this listing is never counted. */
  readonly total?: number | null;
  /** Up to three whole numbers that the next page needs in addition to the id. */
  readonly carried?: readonly number[];
  /** Additional headers of the page. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page that PageInterceptor sends. */
export class Page {
  constructor(
    readonly json: readonly string[],
    readonly size: number,
    /** Number of pages in the whole listing, if counted. */
    readonly count: number | undefined,
    readonly nextCursor: string | undefined,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Without the interceptor a page would silently lose its links. */
  toJSON(): never {
    throw new Error('a route that returns a page must be @Paginated');
  }
}

/**
 * Reads the page that a client requested.
 *
 * @param listing name of the listing, including the tenant: cursors are only valid for that listing
 * @param filters the filters of the listing, without the page parameters
 * @param bounds the greatest values of the numbers that a cursor of this listing carries; clients can edit them
 * @throws Problem 422 if the cursor belongs to another listing, to other filters or to the other order, or is out of bounds
 */
export async function readPage(
  query: PageQuery & { readonly _order?: Order },
  listing: string,
  filters: Readonly<Record<string, unknown>>,
  read: (request: PageRequest) => Promise<PageRows>,
  bounds: readonly number[] = [],
): Promise<Page> {
  const { _page_size: size, _page_cursor: cursor, _order: order } = query;
  const digest = listingDigest(listing, { ...filters, _order: order });
  if (cursor && cursor.listing !== digest) {
    throw invalidRequest(
      [{ parameter: '_page_cursor', detail: 'belongs to another listing, to other filters or to the other order' }],
      'Start again without a cursor.',
    );
  }
  if (cursor && !cursor.carriesAtMost(bounds)) throw invalidRequest([{ parameter: '_page_cursor', detail: NO_CURSOR }]);
  const rows = await read({ size, order, from: cursor?.from, carried: cursor?.carried });
  const total = cursor?.total ?? rows.total ?? 0;
  const nextCursor = rows.nextId === undefined ? undefined : new Cursor(rows.nextId, total, digest, rows.carried).toString();
  return new Page(rows.json, size, rows.total === null ? undefined : Math.ceil(total / size), nextCursor, rows.headers);
}
