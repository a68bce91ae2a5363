import { Field, IntegerParameter, Satisfies } from '@fibre/dto';
import { Cursor } from './cursor.js';

/** Records per page when the client does not say (SPEC section 8). */
export const DEFAULT_PAGE_SIZE = 500;
/** Most records a page may have (SPEC section 8). */
export const MAX_PAGE_SIZE = 2_000;

/** The two query parameters of every listing; a listing's own filters extend it. */
export class PageQuery {
  @IntegerParameter(1, MAX_PAGE_SIZE, { description: 'Records per page.', presence: 'if-present', default: DEFAULT_PAGE_SIZE })
  _page_size: number = DEFAULT_PAGE_SIZE;

  @Field(
    {
      description: 'Where the page begins. Opaque: taken from the `next` link, never made up.',
      presence: 'if-present',
      read: (sent) => Cursor.parse(sent) ?? sent,
    },
    { type: String, pattern: '^[A-Za-z0-9_-]{40}([A-Za-z0-9_-]{16})?$' },
    Satisfies((value) => (value instanceof Cursor ? undefined : 'is not a cursor of this API; take it from a `next` link')),
  )
  _page_cursor?: Cursor;
}
