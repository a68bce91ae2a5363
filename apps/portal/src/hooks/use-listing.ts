import type { Listing as Records } from '@fibre/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { toRefusal } from '../api/refusal.js';

/** Records of one page. */
const PAGE_SIZE = 50;

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
  const latest = useRef(list);
  latest.current = list;

  const fetchPage = useCallback(async (): Promise<void> => {
    const { abort } = walk.current;
    setListing((before) => ({ ...before, state: 'loading', error: undefined }));
    try {
      const { items: more, next } = await latest.current({ _page_size: PAGE_SIZE }, abort.signal).page(walk.current.next);
      if (abort.signal.aborted) return;
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

  useEffect(() => {
    reload();
    return () => walk.current.abort.abort();
  }, [key]);

  return { ...listing, more: () => void fetchPage(), reload };
}
