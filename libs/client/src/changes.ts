import { type CallOptions } from './options.js';
import { type Fetched, settled } from './call.js';
import { toPage } from './listing.js';
import { pause } from './transport.js';

export interface FollowOptions extends CallOptions {
  /** Where to start: the `place` of an earlier iteration. Default: the beginning, or the query's `since`. */
  from?: string;
  /** Whether to wait for more changes after the existing ones. Default true. */
  follow?: boolean;
  /** Milliseconds to wait when there is nothing new. Default 5,000. */
  pauseMs?: number;
}

/** Some changes, and the place to continue from. */
export interface ChangesPage<T> {
  items: T[];
  /** Store it together with the result of handling the items. */
  place: string;
}

const PAUSE_MS = 5_000;

/** Changes to iterate over, one by one with `for await` or page by page with `pages()`. Each change is delivered at least once. */
export class Changes<T> implements AsyncIterable<T> {
  #place?: string;

  /** @param fetchPage fetches the page at a place, or the first page */
  constructor(
    private readonly fetchPage: (place?: string) => Fetched<T[]>,
    private readonly options: FollowOptions,
  ) {
    this.#place = options.from;
  }

  /** Pass this as `from` to continue after the pages handled so far. While a page is being handled, this is the start of that page. */
  get place(): string | undefined {
    return this.#place;
  }

  /** With `follow`, the iteration does not end by itself: use `break` or the signal. */
  async *pages(): AsyncGenerator<ChangesPage<T>, void, undefined> {
    const { follow = true, pauseMs = PAUSE_MS, signal } = this.options;
    for (;;) {
      const { items, next } = toPage(await settled(this.fetchPage(this.#place)));
      const place = new URL(next!).searchParams.get('_page_cursor')!;
      if (items.length > 0) yield { items, place };
      this.#place = place;
      if (items.length > 0) continue;
      if (!follow) return;
      await pause(pauseMs, signal);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
