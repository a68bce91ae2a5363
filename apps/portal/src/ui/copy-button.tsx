import { announce } from './announcements.js';
import { Button } from './button.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts({
  copy: [(what: string) => `Copy ${what}`, (what) => `${what} kopieren`],
  copied: [(what: string) => `${what} copied`, (what) => `${what} kopiert`],
  failed: ['The browser did not allow copying.', 'Der Browser hat das Kopieren nicht erlaubt.'],
});

/** The end of an id, by which *Find* knows it. The beginning of a new id only tells when it was made, so that many have the same. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;

/**
 * The end of an id, and a button that copies all of it.
 *
 * @param of name of the record, to tell the buttons in a table apart
 * @param href opens the record
 */
export function CopyId({ name, id, of, href }: { name: string; id: string; of: string; href?: string }) {
  return (
    <span class="short-id">
      <a href={href} class={href && 'opens'}>
        <code title={id}>{shortId(id)}</code>
      </a>
      <CopyButton what={name} value={id} of={of} />
    </span>
  );
}

/** Copies a value and confirms it. */
export function CopyButton({ what, value, of, onCopied }: { what: string; value: string; of?: string; onCopied?: () => void }) {
  const t = texts();
  const isCopied = (): void => {
    announce(t.copied(what));
    onCopied?.();
  };
  const copy = () => void navigator.clipboard.writeText(value).then(isCopied, () => announce(t.failed));
  if (of === undefined) return <Button label={t.copy(what)} look="small" onClick={copy} />;
  return (
    <button type="button" class="small quiet" aria-label={`${t.copy(what)}, ${of}`} onClick={copy}>
      <svg width="16" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" fill="none" stroke="currentColor" />
      </svg>
    </button>
  );
}
