import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

let isFirstPage = true;

/**
 * Frame of every page: its heading, the title of the window, and the focus, which moves to the heading after a navigation, so that screen
 * readers continue there.
 */
export function Page(props: {
  title: string;
  /** Place of the page in the menu. */
  above?: ComponentChildren;
  /** Shown next to the heading. */
  actions?: ComponentChildren;
  /** Uses the width and height of the window, as a map does. */
  isWide?: boolean;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Together with the page, so that people who type ahead start at the top.
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
