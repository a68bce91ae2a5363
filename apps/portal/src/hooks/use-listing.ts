import type { Listing as Records } from '@fibre/client';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toRefusal } from '../api/refusal.js';
import { keepPlace, placeBefore } from './place.js';

/** Records of one page. */
const PAGE_SIZE = 50;
/** The most that the services give in one page. */
export const LARGEST_PAGE = 2_000;

export interface Listing<T> {
  readonly items: readonly T[];
  readonly state: 'loading' | 'complete' | 'more' | 'failed';
  readonly error: unknown;
  /** Fetches the next page, or again the one that failed. */
  readonly more: () => void;
  /** Begins anew. */
  readonly reload: () => void;
}

/**
 * A listing, page after page. It begins anew when `key` changes; what an earlier one answers late is dropped.
 *
 * @param list of the client; pass on the signal
 * @param key what the listing depends on, its filters as text
 */
export function useListing<T>(list: (query: { _page_size: number }, signal: AbortSignal) => Records<T>, key = ''): Listing<T> {
  const [listing, setListing] = useState<Omit<Listing<T>, 'more' | 'reload'>>({ items: [], state: 'loading', error: undefined });
  const walk = useRef<{ next?: string; abort: AbortController }>({ abort: new AbortController() });
  // Whoever comes back finds as many rows as before, and the window where it was.
  const scroll = useRef<number>(undefined);
  const latest = useRef({ list, key });
  latest.current = { list, key };

  const fetchPage = useCallback(async (): Promise<void> => {
    const { abort } = walk.current;
    setListing((before) => ({ ...before, state: 'loading', error: undefined }));
    try {
      const { rows = 0, ...before } = placeBefore();
      const isBack = walk.current.next === undefined && before.key === latest.current.key;
      const _page_size = isBack ? Math.min(LARGEST_PAGE, Math.max(PAGE_SIZE, rows)) : PAGE_SIZE;
      const { items: more, next } = await latest.current.list({ _page_size }, abort.signal).page(walk.current.next);
      if (abort.signal.aborted) return;
      if (isBack) scroll.current = before.scroll;
      walk.current = { abort, next };
      setListing(({ items }) => ({ items: [...items, ...more], state: next ? 'more' : 'complete', error: undefined }));
    } catch (error) {
      if (!abort.signal.aborted) setListing(({ items }) => ({ items, state: 'failed', error: toRefusal(error) }));
    }
  }, []);

  const reload = useCallback((): void => {
    walk.current.abort.abort();
    walk.current = { abort: new AbortController() };
    setListing({ items: [], state: 'loading', error: undefined });
    void fetchPage();
  }, []);

  const { items } = listing;
  useLayoutEffect(() => {
    if (items.length === 0) return;
    keepPlace({ key, rows: items.length });
    if (scroll.current !== undefined) scrollTo(0, scroll.current);
    scroll.current = undefined;
  }, [items]);

  useEffect(() => {
    reload();
    return () => walk.current.abort.abort();
  }, [key]);

  return { ...listing, more: () => void fetchPage(), reload };
}
