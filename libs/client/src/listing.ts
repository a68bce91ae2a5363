import LinkHeader from 'http-link-header';
import { type Answer, type Fetched, settled } from './call.js';
import { UnexpectedAnswerError } from './errors.js';

/** Up to `_page_size` records of a listing. */
export interface Page<T> {
  items: T[];
  /** Link to the next page, if there is one. */
  next?: string;
  /** Number of records on a full page. */
  pageSize?: number;
  /** Number of pages; an estimate for very large listings. */
  pageCount?: number;
  /** The listing includes events recorded up to this instant; absent if it has no such limit. */
  recordedUntil?: string;
  /** The listing shows this instant; absent if it is not one of lines. */
  at?: string;
}

/** A listing: iterate over records with `for await` or over pages with `pages()`, or `await` the first page. Nothing is sent until then. */
export class Listing<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  /** @param fetchPage fetches the page that a link points to; without a link, the first page */
  constructor(private readonly fetchPage: (link?: string) => Fetched<T[]>) {}

  then<A = Page<T>, B = never>(
    onDone?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onFailed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page().then(onDone, onFailed);
  }

  /** Follows the service's links to the end; an empty page is not the end. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page = await this.page();
    for (; page.next !== undefined; page = await this.page(page.next)) yield page;
    yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** The first page, or the page that a `next` link points to. */
  async page(next?: string): Promise<Page<T>> {
    return toPage(await settled(this.fetchPage(next)));
  }
}

export function toPage<T>({ data: items, response: { headers } }: Answer<T[]>): Page<T> {
  if (!Array.isArray(items)) throw new UnexpectedAnswerError('The response is not a page of a listing');
  const next = LinkHeader.parse(headers.get('link') ?? '').rel('next')[0]?.uri;
  const counts = { pageSize: count(headers.get('x-page-size')), pageCount: count(headers.get('x-page-count')) };
  const instants = { recordedUntil: headers.get('x-recorded-until') ?? undefined, at: headers.get('x-lines-at') ?? undefined };
  return { items, next, ...counts, ...instants };
}

const count = (value: string | null): number | undefined => (value === null ? undefined : Number(value));
