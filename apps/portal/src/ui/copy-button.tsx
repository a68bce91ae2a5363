import { announce } from './announcements.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts(
  { copy: (what: string) => `Copy ${what}`, copied: (what: string) => `${what} copied`, failed: 'The browser did not allow the copy.' },
  {
    copy: (what: string) => `${what} kopieren`,
    copied: (what: string) => `${what} kopiert`,
    failed: 'Der Browser hat die Kopie nicht erlaubt.',
  },
);

/** Copies a value; says so. */
export function CopyButton({ what, value }: { what: string; value: string }) {
  const t = texts();
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => announce(t.copied(what)),
      () => announce(t.failed),
    );
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {t.copy(what)}
    </button>
  );
}
