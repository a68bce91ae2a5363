import { EnumField, Field, IntegerParameter, Satisfies } from '@fibre/dto';
import { Cursor } from './cursor.js';

/** Default number of records per page (SPEC section 8). */
export const DEFAULT_PAGE_SIZE = 500;
/** Maximum number of records per page (SPEC section 8). */
export const MAX_PAGE_SIZE = 2_000;

/** What is wrong with a cursor that none of our listings returned. */
export const NO_CURSOR = 'is not a cursor of this API; use one from a `next` link';

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
