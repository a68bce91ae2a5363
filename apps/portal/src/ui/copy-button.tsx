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

/** An id, and a button that copies it. @param of the record's name, which tells this button from the others in a table */
export function CopyId({ name, id, of }: { name: string; id: string; of: string }) {
  return (
    <span class="to-copy">
      <code>{id}</code>
      <CopyButton what={name} value={id} of={of} />
    </span>
  );
}

/** Copies a value; says so. */
export function CopyButton({ what, value, of }: { what: string; value: string; of?: string }) {
  const t = texts();
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => announce(t.copied(what)),
      () => announce(t.failed),
    );
  };
  return (
    <button type="button" class="small" aria-label={of === undefined ? undefined : `${t.copy(what)}, ${of}`} onClick={copy}>
      {t.copy(what)}
    </button>
  );
}
