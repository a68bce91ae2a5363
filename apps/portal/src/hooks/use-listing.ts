import type { Listing as Records } from '@fibre/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toRefusal } from '../refusal.js';
import { awaited } from './arrival.js';
import { keepPlace, placeBefore } from './leaving.js';

/** Number of records per page. */
export const PAGE_SIZE = 50;
/** Largest page size that the services allow. */
export const LARGEST_PAGE = 2_000;

/** The number of records in a listing: the number of its pages with one record each. */
export const totalOf = async (list: (query: { _page_size: number }) => Records<unknown>): Promise<number> =>
  (await list({ _page_size: 1 })).pageCount ?? 0;

/** Every record of a listing, and the instant up to which it has events. */
export async function readAll<T>(listing: Records<T>): Promise<{ items: T[]; recordedUntil?: string | undefined }> {
  const items: T[] = [];
  let recordedUntil: string | undefined;
  for await (const page of listing.pages()) {
    items.push(...page.items);
    recordedUntil = page.recordedUntil;
  }
  return { items, recordedUntil };
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly state: 'loading' | 'complete' | 'more' | 'failed';
  readonly error: unknown;
  /** Total number of records, once it is known; may be an estimate above `EXACT`. */
  readonly total?: number | undefined;
  /** Fetches the next page, or retries the one that failed. */
  readonly more: () => void;
  /** All records are here; a table shows them page by page all the same. */
  readonly isWhole?: boolean;
}

const NOTHING_YET = { items: [], state: 'loading', error: undefined } as const;

/** Calls a function of the client, to which it must pass the signal. */
export type List<T> = (query: { _page_size: number }, signal: AbortSignal) => Records<T>;

/** A listing of records that are already loaded. */
export const listingOf = <T>(items: readonly T[]): Listing<T> => ({
  items,
  state: 'complete',
  error: undefined,
  more: () => undefined,
  isWhole: true,
});

/**
 * A listing, page by page. It starts again when `key` changes; late responses for an earlier key are dropped.
 *
 * @param key what the listing depends on: its filters as text
 */
export function useListing<T>(list: List<T>, key = ''): Listing<T> {
  const [listing, setListing] = useState<Omit<Listing<T>, 'more'>>(NOTHING_YET);
  const walk = useRef<{ next?: string; abort: AbortController }>({ abort: new AbortController() });
  // When the person comes back to the list, it has as many rows as before and the same scroll position.
  const scroll = useRef<number>(undefined);

  const fetchPage = async (): Promise<void> => {
    const { abort } = walk.current;
    setListing((before) => ({ ...before, state: 'loading', error: undefined }));
    try {
      const { rows = 0, ...before } = placeBefore();
      const isBack = walk.current.next === undefined && before.key === key;
      const _page_size = isBack ? Math.min(LARGEST_PAGE, Math.max(PAGE_SIZE, rows)) : PAGE_SIZE;
      const { items: more, next } = await awaited(list({ _page_size }, abort.signal).page(walk.current.next));
      if (abort.signal.aborted) return;
      if (isBack) scroll.current = before.scroll;
      const isFirst = walk.current.next === undefined;
      walk.current = { abort, next };
      setListing((before) => {
        const items = [...before.items, ...more];
        return next
          ? { items, state: 'more', error: undefined, total: before.total }
          : { items, state: 'complete', error: undefined, total: items.length };
      });
      if (!isFirst || next === undefined) return;
      // The list is useful without its total.
      const total = await totalOf((query) => list(query, abort.signal)).catch(() => undefined);
      if (!abort.signal.aborted) setListing((before) => (before.state === 'complete' ? before : { ...before, total }));
    } catch (error) {
      if (!abort.signal.aborted) setListing((before) => ({ ...before, state: 'failed', error: toRefusal(error) }));
    }
  };

  const { items } = listing;
  useLayoutEffect(() => {
    if (items.length === 0) return;
    keepPlace({ key, rows: items.length });
    if (scroll.current !== undefined) scrollTo(0, scroll.current);
    scroll.current = undefined;
  }, [items]);

  useLayoutEffect(() => {
    const abort = new AbortController();
    walk.current = { abort };
    setListing(NOTHING_YET);
    void fetchPage();
    return () => abort.abort();
  }, [key]);

  return { ...listing, more: () => void fetchPage() };
}
