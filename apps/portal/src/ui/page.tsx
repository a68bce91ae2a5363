import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

let isFirstPage = true;

/**
 * Frame of every page: its heading, the title of the window, and the focus, which goes to the heading when somebody comes from
 * another page, so that screen readers read on from there.
 */
export function Page(props: {
  title: string;
  /** Where in the menu the page stands. */
  above?: ComponentChildren;
  /** Stands beside the heading. */
  actions?: ComponentChildren;
  /** Uses the width and the height of the window, as a map does. */
  isWide?: boolean;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // With the page itself: whoever types ahead starts where it begins.
  useLayoutEffect(() => {
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, []);
  useLayoutEffect(() => {
    document.title = `${props.title} · Open Access Fibre`;
  }, [props.title]);
  return (
    <div class={props.isWide ? 'page wide' : 'page'}>
      <div class="page-head">
        <div>
          {props.above && <p class="above">{props.above}</p>}
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
        </div>
        {props.actions && <div class="actions">{props.actions}</div>}
      </div>
      {props.children}
    </div>
  );
}
