import { AbortedError } from '@fibre/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useUnsaved } from './unsaved.js';
import { type Action, useAction } from './use-action.js';

export interface Transfer extends Pick<Action, 'isBusy' | 'error' | 'forget'> {
  readonly wasCancelled: boolean;
  readonly run: (does: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  readonly cancel: () => void;
}

/** A long action that can be cancelled; leaving the page cancels it. */
export function useTransfer(): Transfer {
  const { isBusy, error, run, forget } = useAction();
  const [wasCancelled, setCancelled] = useState(false);
  const abort = useRef(new AbortController());
  const cancel = (): void => abort.current.abort();
  useEffect(() => cancel, []);
  useUnsaved(isBusy);
  return {
    isBusy,
    error,
    forget,
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
