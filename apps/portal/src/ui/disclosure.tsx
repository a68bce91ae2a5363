import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** A button that shows and hides its content. Escape, a click or focus elsewhere, or a navigation hides it. */
export function Disclosure(props: {
  label: string;
  /** Read by screen readers after the label. */
  description?: string;
  class: string;
  /** The content contains the link to the current page. */
  isCurrent?: boolean;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const { url } = useLocation();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [url]);
  return (
    <div
      class={`disclosure ${props.class}`}
      onFocusOut={({ currentTarget, relatedTarget }) => setOpen(isOpen && currentTarget.contains(relatedTarget as Node | null))}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        type="button"
        class={props.isCurrent ? 'quiet current' : 'quiet'}
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          // Safari does not focus a button when it is clicked.
          button.current?.focus();
          setOpen(!isOpen);
        }}
      >
        {props.label}
        {props.description && <span class="visually-hidden">, {props.description}</span>}
      </button>
      <div id={id} class="panel" tabIndex={-1} hidden={!isOpen}>
        {props.children}
      </div>
    </div>
  );
}
