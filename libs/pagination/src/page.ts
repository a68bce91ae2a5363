import { invalidRequest } from '@fibre/problems';
import { Cursor, listingDigest } from './cursor.js';
import type { PageQuery } from './page-query.js';

/** What a repository needs to know to read a page. */
export interface PageRequest {
  /** Most records to return, 1 to 2,000. */
  readonly size: number;
  /** Id of the first record; absent on a walk's first page. */
  readonly from?: string;
  /** What the page before it gave as `carried`. */
  readonly carried?: readonly number[];
}

/** What a repository read. */
export interface PageRows {
  /** The records as PostgreSQL wrote them: texts of JSON objects with commas between them; commas go between the texts too. */
  readonly json: readonly string[];
  /** Id of the record after the last one of this page; absent on the last page. */
  readonly nextId?: string;
  /** Records in the whole listing. Only read for a walk's first page. */
  readonly total?: number;
  /** What the next page needs beside the id: two whole numbers. */
  readonly carried?: readonly number[];
  /** What the response says of the page besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page on its way out; PageInterceptor makes headers of it. */
export class Page {
  constructor(
    readonly json: readonly string[],
    readonly size: number,
    /** Pages of the whole listing. */
    readonly count: number,
    readonly nextCursor: string | undefined,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** Without the interceptor a page would silently lose its links. */
  toJSON(): never {
    throw new Error('a route that returns a page has to be @Paginated');
  }
}

/**
 * Reads the page a client asked for.
 *
 * @param listing name of the listing, the tenant included: cursors are only valid for it
 * @param filters the listing's filters, without the two page parameters
 * @throws Problem 422 when the cursor belongs to another listing or to other filters
 */
export async function readPage(
  query: PageQuery,
  listing: string,
  filters: Readonly<Record<string, unknown>>,
  read: (request: PageRequest) => Promise<PageRows>,
): Promise<Page> {
  const digest = listingDigest(listing, filters);
  const cursor = query._page_cursor;
  if (cursor && cursor.listing !== digest) {
    throw invalidRequest(
      [{ parameter: '_page_cursor', detail: 'belongs to another listing or to other filters' }],
      'Start again without a cursor.',
    );
  }
  const size = query._page_size;
  const rows = await read({ size, from: cursor?.from, carried: cursor?.carried });
  const total = cursor?.total ?? rows.total ?? 0;
  const nextCursor = rows.nextId === undefined ? undefined : new Cursor(rows.nextId, total, digest, rows.carried).toString();
  return new Page(rows.json, size, Math.ceil(total / size), nextCursor, rows.headers);
}
