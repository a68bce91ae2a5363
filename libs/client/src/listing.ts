import LinkHeader from 'http-link-header';
import { type Answer, settled } from './call.js';
import { UnexpectedAnswerError } from './errors.js';

/** Up to `_page_size` records of a listing. */
export interface Page<T> {
  items: T[];
  /** Where the next page is, if there is one. */
  next?: string;
  /** How many records a page has, if there are as many. */
  pageSize?: number;
  /** How many pages the listing has; an estimate for very large ones. */
  pageCount?: number;
  /** By when the events were recorded that count, if the listing says. */
  recordedUntil?: string;
}

type Fetched<T> = Promise<{ data?: T[]; error?: unknown; response: Response }>;

/** Records in pages: `for await` gives the records, `pages()` the pages, `await` the first page alone. No request is sent before. */
export class Listing<T> implements AsyncIterable<T>, PromiseLike<Page<T>> {
  /** @param fetchPage fetches the page at this link, or the first one */
  constructor(private readonly fetchPage: (link?: string) => Fetched<T>) {}

  then<A = Page<T>, B = never>(
    onDone?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onFailed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page().then(onDone, onFailed);
  }

  /** Follows the service's own links until there is none; a page without records is not the end. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const seen = new Set<string>();
    for (let link: string | undefined, isFirst = true; isFirst || link !== undefined; isFirst = false) {
      const page = await this.page(link);
      yield page;
      link = page.next;
      if (link === undefined) continue;
      const cursor = new URL(link).searchParams.get('_page_cursor') ?? link;
      if (seen.has(cursor)) throw new UnexpectedAnswerError(`The listing goes in a circle: ${link} was followed before`);
      seen.add(cursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** One page: the first, or the one that the `next` of another leads to. */
  async page(next?: string): Promise<Page<T>> {
    return toPage(await settled(this.fetchPage(next)));
  }
}

function toPage<T>({ data: items, response: { headers } }: Answer<T[]>): Page<T> {
  if (!Array.isArray(items)) throw new UnexpectedAnswerError('The answer is no page of a listing');
  const next = LinkHeader.parse(headers.get('link') ?? '').rel('next')[0]?.uri;
  const counts = { pageSize: count(headers.get('x-page-size')), pageCount: count(headers.get('x-page-count')) };
  return { items, next, ...counts, recordedUntil: headers.get('x-recorded-until') ?? undefined };
}

const count = (value: string | null): number | undefined => (value === null ? undefined : Number(value));
