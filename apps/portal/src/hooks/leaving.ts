import { useEffect } from 'preact/hooks';
import { defineTexts } from '../texts.js';
import { useLocation } from 'preact-iso';
import { page } from '../configuration.js';

const texts = defineTexts({
  ask: [
    'Leave? What is not saved or copied, and unfinished transfers, will be lost.',
    'Seite verlassen? Nicht Gespeichertes, nicht Kopiertes und laufende Übertragungen gehen verloren.',
  ],
});

const unsaved = new Set<object>();
let address = '';

/** While `isUnsaved` is true, leaving the page asks for confirmation. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const mark = {};
    unsaved.add(mark);
    address = location.href;
    return () => void unsaved.delete(mark);
  }, [isUnsaved]);
}

/** Asks for confirmation if something would be lost. */
export const mayLeave = (): boolean => unsaved.size === 0 || confirm(texts().ask);

/** Guards links, the Back button and closing the window. Must be called before the router starts listening. */
export function guardLeaving(): void {
  addEventListener('beforeunload', (event) => unsaved.size > 0 && event.preventDefault());
  addEventListener(
    'click',
    (event) => {
      const link = (event.target as Element).closest('a');
      const isElsewhere = link?.origin === location.origin && link.pathname !== location.pathname && link.target === '';
      if (!isElsewhere || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (mayLeave()) return keepPlace({ scroll: scrollY });
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
  addEventListener('popstate', (event) => {
    if (unsaved.size === 0 || location.pathname === new URL(address).pathname || mayLeave()) return;
    // The browser has already navigated, so this returns to the page.
    history.pushState(null, '', address);
    event.stopImmediatePropagation();
  });
}

/**
 * Navigates to another page, as in `leave('relations')`, and never resolves: an action that ends with this call stays busy until its page
 * is gone, so a second click does nothing while the next page loads.
 */
export function useLeave(): (path: string) => Promise<never> {
  const { route } = useLocation();
  return (path) => {
    route(page(path));
    return new Promise(() => undefined);
  };
}

/** State stored with each entry of the browser history: how many rows a listing had, and the scroll position. */
interface Place {
  readonly key?: string;
  readonly rows?: number;
  readonly scroll?: number;
}

export const placeBefore = (): Place => (history.state as Place | null) ?? {};
export const keepPlace = (more: Place): void => history.replaceState({ ...placeBefore(), ...more }, '');
