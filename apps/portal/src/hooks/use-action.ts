import { AbortedError } from '@fibre/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toRefusal } from '../refusal.js';
import { useUnsaved } from './leaving.js';

interface State {
  readonly isBusy: boolean;
  /** Why the last attempt failed. */
  readonly error: unknown;
  readonly wasCancelled: boolean;
}
const IDLE: State = { isBusy: false, error: undefined, wasCancelled: false };

export interface Action extends State {
  /** Runs the action unless it is already running, so that a double click runs it once. The action must pass the signal to its requests. */
  readonly run: (does: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  readonly cancel: () => void;
  readonly forget: () => void;
}

/** An action on the service, started by a button. */
export function useAction(): Action {
  const [state, setState] = useState(IDLE);
  // A second click may happen before the effect of the first click is rendered.
  const running = useRef<AbortController>(undefined);
  return {
    ...state,
    run: async (does) => {
      if (running.current) return;
      running.current = new AbortController();
      setState({ ...IDLE, isBusy: true });
      const failure = await does(running.current.signal).then(() => undefined, toRefusal);
      running.current = undefined;
      setState(failure instanceof AbortedError ? { ...IDLE, wasCancelled: true } : { ...IDLE, error: failure });
    },
    cancel: () => running.current?.abort(),
    forget: () => setState(IDLE),
  };
}

/** A long action: leaving the page cancels it, after a confirmation. */
export function useTransfer(): Action {
  const action = useAction();
  useEffect(() => action.cancel, []);
  useUnsaved(action.isBusy);
  return action;
}
