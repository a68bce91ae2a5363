import { AbortedError } from '@fibre/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Action, useAction } from '../../../hooks/use-action.js';

export interface Transfer extends Pick<Action, 'isBusy' | 'error'> {
  readonly wasCancelled: boolean;
  readonly run: (does: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  readonly cancel: () => void;
}

/** An action that takes long and can be cancelled; leaving the page cancels it. */
export function useTransfer(): Transfer {
  const { isBusy, error, run } = useAction();
  const [wasCancelled, setCancelled] = useState(false);
  const abort = useRef(new AbortController());
  const cancel = (): void => abort.current.abort();
  useEffect(() => cancel, []);
  useEffect(() => {
    if (!isBusy) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isBusy]);
  return {
    isBusy,
    error,
    wasCancelled,
    cancel,
    run: (does) =>
      run(async () => {
        abort.current = new AbortController();
        setCancelled(false);
        await does(abort.current.signal).catch((failure: unknown) => {
          if (!(failure instanceof AbortedError)) throw failure;
          setCancelled(true);
        });
      }),
  };
}
