import { useLayoutEffect, useState } from 'preact/hooks';

/** How long a page that was opened waits for its parts, in milliseconds; then it shows those that have arrived. */
const PATIENCE_MS = 1_000;

const underWay = new Set<PromiseLike<unknown>>();
const waiting = new Set<() => void>();

/** Makes the pages that wait for their parts wait for this one too, whether it arrives or fails. */
export function awaited<P extends PromiseLike<unknown>>(part: P): P {
  underWay.add(part);
  const end = (): void => {
    underWay.delete(part);
    lookAgain();
  };
  part.then(end, end);
  return part;
}

/** Looks after the next rendering, because what has arrived may ask for more. */
const lookAgain = (): void => void setTimeout(() => underWay.size === 0 && waiting.forEach((show) => show()));

/**
 * Whether the parts of a page that was just opened are still arriving. Until then they are not shown, so that nothing moves away under the
 * pointer of a person when the next one arrives.
 */
export function useIsArriving(): boolean {
  const [isArriving, setArriving] = useState(true);
  useLayoutEffect(() => {
    const show = (): void => setArriving(false);
    waiting.add(show);
    const patience = setTimeout(show, PATIENCE_MS);
    lookAgain();
    return () => {
      waiting.delete(show);
      clearTimeout(patience);
    };
  }, []);
  return isArriving;
}
