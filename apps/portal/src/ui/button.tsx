import { page, type Scope } from '../configuration.js';
import { useScope } from '../session/context.js';

/** A button. While its action is running it keeps the focus, and the action ignores further clicks. */
export function Button(props: { label: string; look?: string; isOff?: boolean; isBusy?: boolean; onClick: () => void }) {
  return (
    <button type="button" class={props.look} disabled={props.isOff} aria-disabled={props.isBusy} onClick={props.onClick}>
      {props.label}
    </button>
  );
}

/** A link to a path of the portal that looks like a button; without one of the scopes it cannot be followed, and the page says why next to it. */
export function LinkButton(props: { label: string; to: string; scopes?: readonly Scope[]; isPrimary?: boolean }) {
  const hasScope = useScope(...(props.scopes ?? [undefined]));
  const target = hasScope ? { href: page(props.to) } : ({ role: 'link', 'aria-disabled': true } as const);
  return (
    <a class={props.isPrimary ? 'button primary' : 'button'} {...target}>
      {props.label}
    </a>
  );
}
