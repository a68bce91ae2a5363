import { useRef, useState } from 'preact/hooks';
import { toRefusal } from '../api/refusal.js';

export interface Action {
  readonly isBusy: boolean;
  /** Why the last attempt did not work. */
  readonly error: unknown;
  /** Does it, unless it is under way: a double click does it once. */
  readonly run: (does: () => Promise<void>) => Promise<void>;
  readonly forget: () => void;
}

/** Something that a button does at the service. */
export function useAction(): Action {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: undefined });
  // A second click comes before the first one is rendered.
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
