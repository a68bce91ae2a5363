import type { ComponentChildren } from 'preact';
import { page, type Scope } from '../configuration.js';
import { useScope } from '../session/context.js';

/** A button. While its action is running it keeps the focus, and the action ignores further clicks. */
export function Button(props: {
  label: ComponentChildren;
  look?: string | undefined;
  /** What the action requires; one of several is enough. */
  scope?: Scope | readonly Scope[];
  isOff?: boolean;
  isBusy?: boolean;
  isPressed?: boolean;
  onClick: () => void;
}) {
  const { label, look, isOff = false, isBusy, isPressed, onClick } = props;
  const hasScope = useScope(...[props.scope].flat());
  return (
    <button type="button" class={look} disabled={isOff || !hasScope} aria-disabled={isBusy} aria-pressed={isPressed} onClick={onClick}>
      {label}
    </button>
  );
}

/** Buttons, one of which is chosen. */
export function Choices<N extends string>(props: {
  class?: string;
  label: string;
  names: readonly N[];
  chosen: N;
  labelOf: (name: N) => ComponentChildren;
  onChoose: (name: N) => void;
}) {
  return (
    <div class={props.class ?? 'tabs'} role="group" aria-label={props.label}>
      {props.names.map((name) => (
        <Button key={name} label={props.labelOf(name)} isPressed={props.chosen === name} onClick={() => props.onChoose(name)} />
      ))}
    </div>
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
