import { useEffect } from 'preact/hooks';
import { defineTexts } from '../texts.js';
import { keepPlace } from './place.js';

const texts = defineTexts({
  ask: [
    'Leave this page? Your input is not saved, and a running transfer will be cancelled.',
    'Seite verlassen? Ihre Eingaben sind nicht gespeichert, und eine laufende Übertragung wird abgebrochen.',
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

/** Guards links, the Back button and closing the window. Call it before the router listens. */
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
    // The browser has already navigated.
    history.pushState(null, '', address);
    event.stopImmediatePropagation();
  });
}
