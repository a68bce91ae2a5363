import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toRefusal } from '../refusal.js';
import { awaited } from './arrival.js';

export interface Loaded<T> {
  /** Kept during a reload. */
  readonly data: T | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly reload: () => void;
}

/** Loads something when `key` changes; late responses to an earlier request are dropped. `load` must pass the signal to its requests. */
export function useLoad<T>(load: (signal: AbortSignal) => PromiseLike<T>, key: string): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: undefined, isLoading: true, error: undefined });
  const current = useRef(new AbortController());
  const latest = useRef(load);
  latest.current = load;

  const reload = useCallback((): void => {
    current.current.abort();
    const abort = (current.current = new AbortController());
    setState(({ data }) => ({ data, isLoading: true, error: undefined }));
    awaited(latest.current(abort.signal)).then(
      (data) => !abort.signal.aborted && setState({ data, isLoading: false, error: undefined }),
      (error: unknown) => !abort.signal.aborted && setState(({ data }) => ({ data, isLoading: false, error: toRefusal(error) })),
    );
  }, []);

  // Runs before painting, so that content for another key is never seen or clicked.
  useLayoutEffect(() => {
    setState({ data: undefined, isLoading: true, error: undefined });
    reload();
    return () => current.current.abort();
  }, [key]);

  return { ...state, reload };
}
