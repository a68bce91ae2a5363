import type { ComponentChildren } from 'preact';

/** A link that looks like a button. A disabled one cannot be followed, and the page says why next to it. */
export function LinkButton(props: { href: string; isOff?: boolean; isPrimary?: boolean; children: ComponentChildren }) {
  const look = props.isPrimary ? 'button primary' : 'button';
  if (!props.isOff) {
    return (
      <a class={look} href={props.href}>
        {props.children}
      </a>
    );
  }
  return (
    <a class={look} role="link" aria-disabled="true">
      {props.children}
    </a>
  );
}
