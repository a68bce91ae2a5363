import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A button that shows and hides its content. The browser hides it on Escape or a click elsewhere, and a navigation does too. */
export function Disclosure(props: {
  label: string;
  /** Read by screen readers after the label. */
  description?: string;
  class: string;
  /** The content contains the link to the current page. */
  isCurrent?: boolean;
  children: ComponentChildren;
}) {
  const { url } = useLocation();
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.hidePopover(), [url]);
  return (
    <div class={props.class}>
      <button type="button" class={props.isCurrent ? 'disclosure quiet current' : 'disclosure quiet'} popovertarget={id}>
        {props.label}
        {props.description && <span class="visually-hidden">, {props.description}</span>}
      </button>
      <div id={id} class="panel" popover="auto" ref={panel}>
        {props.children}
      </div>
    </div>
  );
}
