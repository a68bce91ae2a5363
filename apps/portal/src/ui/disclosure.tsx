import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** A button that shows and hides its content. Escape, a click elsewhere and a navigation hide it. */
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
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [url]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = ({ target }: Event): void => {
      if (!whole.current?.contains(target as Node)) setOpen(false);
    };
    const escape = ({ key }: KeyboardEvent): void => {
      if (key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('keydown', escape);
    };
  }, [isOpen]);
  return (
    <div class={`disclosure ${props.class}`} ref={whole}>
      <button
        type="button"
        class={props.isCurrent ? 'quiet current' : 'quiet'}
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {props.label}
        {props.description && <span class="visually-hidden">, {props.description}</span>}
      </button>
      <div id={id} class="panel" hidden={!isOpen}>
        {props.children}
      </div>
    </div>
  );
}
