import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer } from '../api/clients.js';
import { nextCursor } from '../api/pages.js';

/** Records of one page. */
export const PAGE_SIZE = 50;

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
 * A listing, page after page by the `next` link. It begins anew when `key` changes; what an earlier one answers late is dropped.
 *
 * @param load fetches the page that begins at the cursor; pass on the signal
 * @param key what the listing depends on, its filters as text
 */
export function useListing<T>(
  load: (query: { _page_size: number; _page_cursor?: string }, signal: AbortSignal) => Promise<Answer<T[]>>,
  key = '',
): Listing<T> {
  const [listing, setListing] = useState<Omit<Listing<T>, 'more' | 'reload'>>({ items: [], state: 'loading', error: undefined });
  const walk = useRef<{ cursor?: string; abort: AbortController }>({ abort: new AbortController() });
  const latestLoad = useRef(load);
  latestLoad.current = load;

  const fetchPage = useCallback(async (): Promise<void> => {
    const { abort, cursor } = walk.current;
    setListing((before) => ({ ...before, state: 'loading', error: undefined }));
    try {
      const { data, response } = await latestLoad.current({ _page_size: PAGE_SIZE, ...(cursor && { _page_cursor: cursor }) }, abort.signal);
      if (abort.signal.aborted) return;
      const next = nextCursor(response);
      walk.current = { abort, ...(next && { cursor: next }) };
      setListing(({ items }) => ({ items: [...items, ...data], state: next ? 'more' : 'complete', error: undefined }));
    } catch (error) {
      if (!abort.signal.aborted) setListing(({ items }) => ({ items, state: 'failed', error }));
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
