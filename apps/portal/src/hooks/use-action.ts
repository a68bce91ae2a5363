import { useRef, useState } from 'preact/hooks';
import { toRefusal } from '../api/refusal.js';

export interface Action {
  readonly isBusy: boolean;
  /** Why the last attempt failed. */
  readonly error: unknown;
  /** Runs the action unless it is running already, so that a double click runs it once. */
  readonly run: (does: () => Promise<void>) => Promise<void>;
  readonly forget: () => void;
}

/** An action of a button on the service. */
export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: undefined });
  // A second click may come before the first one is rendered.
  const isBusy = useRef(false);
  return {
    ...state,
    run: async (does) => {
      if (isBusy.current) return;
      isBusy.current = true;
      setState({ isBusy: true, error: undefined });
      const error = await does().then(() => undefined, toRefusal);
      isBusy.current = false;
      setState({ isBusy: false, error });
    },
    forget: () => setState({ isBusy: false, error: undefined }),
  };
}
