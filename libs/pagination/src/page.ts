import { createHash } from 'node:crypto';
import { EnumField, Field, IntegerParameter, Satisfies } from '@fibre/dto';
import { invalidRequest } from '@fibre/problems';
import { Cursor, DIGEST_BYTES } from './cursor.js';

/** Default number of records per page (SPEC section 8). */
export const DEFAULT_PAGE_SIZE = 500;
/** Maximum number of records per page (SPEC section 8). */
export const MAX_PAGE_SIZE = 2_000;

/** What is wrong with a cursor that none of our listings returned. */
const NO_CURSOR = 'is not a cursor of this API; use one from a `next` link';

/** The two query parameters of every listing; each listing extends this class, or {@link OrderedPageQuery}, with its filters. */
export class PageQuery {
  @IntegerParameter(1, MAX_PAGE_SIZE, { description: 'Records per page.', presence: 'if-present', default: DEFAULT_PAGE_SIZE })
  _page_size: number = DEFAULT_PAGE_SIZE;

  @Field(
    {
      description: 'Where the page begins. An opaque value from the `next` link.',
      presence: 'if-present',
      read: (sent) => Cursor.parse(sent) ?? sent,
    },
    { type: String, pattern: '^[A-Za-z0-9_-]{40}([A-Za-z0-9_-]{8}){0,3}$' },
    Satisfies((value) => (value instanceof Cursor ? undefined : NO_CURSOR)),
  )
  _page_cursor?: Cursor;
}

/** Orders of a listing by id, and so by creation. */
export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

/** The query parameters of a listing that can also be read from its end. */
export class OrderedPageQuery extends PageQuery {
  @EnumField(ORDERS, {
    description: '`asc`: oldest first. `desc`: newest first. A cursor only works with the order it came from.',
    presence: 'if-present',
    default: 'asc',
  })
  _order: Order = 'asc';
}

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
