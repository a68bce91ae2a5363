import { announce } from './announcements.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts({
  short: ['Copy', 'Kopieren'],
  copy: [(what: string) => `Copy ${what}`, (what) => `${what} kopieren`],
  copied: [(what: string) => `${what} copied`, (what) => `${what} kopiert`],
  failed: ['The browser did not allow copying.', 'Der Browser hat das Kopieren nicht erlaubt.'],
});

/** Start and end of an id, and a button that copies all of it. @param of name of the record, to tell the buttons in a table apart */
export function CopyId({ name, id, of }: { name: string; id: string; of: string }) {
  return (
    <span class="short-id">
      <code title={id}>{`${id.slice(0, 8)}…${id.slice(-4)}`}</code>
      <CopyButton what={name} value={id} of={of} />
    </span>
  );
}

/** Copies a value and confirms it. */
export function CopyButton({ what, value, of, onCopied }: { what: string; value: string; of?: string; onCopied?: () => void }) {
  const t = texts();
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => {
        announce(t.copied(what));
        onCopied?.();
      },
      () => announce(t.failed),
    );
  };
  return (
    <button
      type="button"
      class={of === undefined ? 'small' : 'small quiet'}
      aria-label={of === undefined ? undefined : `${t.copy(what)}, ${of}`}
      onClick={copy}
    >
      {of === undefined ? t.copy(what) : t.short}
    </button>
  );
}
