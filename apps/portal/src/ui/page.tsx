import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Scope } from '../configuration.js';
import { useIsArriving } from '../hooks/arrival.js';
import { useApp, useScope } from '../session/context.js';
import { defineTexts } from '../texts.js';

const texts = defineTexts({
  lacks: [
    (scope: string) => `You can view this but not change it. Ask your administrator for the ${scope} permission.`,
    (scope) => `Sie können das ansehen, aber nicht ändern. Bitten Sie Ihren Administrator um die Berechtigung ${scope}.`,
  ],
});

let isFirstPage = true;

/**
 * The frame of every page. It sets the heading and the title of the window, and moves the focus to the heading after a navigation, so that
 * screen readers continue there.
 */
export function Page(props: {
  title: string;
  /** Breadcrumbs above the heading. */
  above?: ComponentChildren;
  /** Shown next to the heading. */
  actions?: ComponentChildren;
  /** Uses the full width and height of the window, as a map does. */
  isWide?: boolean;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isArriving = useIsArriving();
  // The focus moves as soon as the page is rendered, so that people who type ahead start at the top.
  useLayoutEffect(() => {
    if (!isFirstPage) heading.current?.focus();
    isFirstPage = false;
  }, []);
  useLayoutEffect(() => {
    document.title = `${props.title} · Open Access Fibre`;
  }, [props.title]);
  return (
    <div class={props.isWide ? 'wide' : isArriving ? 'page arriving' : 'page'}>
      <div class={props.isWide ? 'visually-hidden' : 'page-head'}>
        <div>
          {props.above && <p class="fine">{props.above}</p>}
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

/** A part of a page with its heading. */
export function Section({ title, why, children, ...look }: { title: string; why?: string; class?: string; children: ComponentChildren }) {
  return (
    <section class={look.class ?? 'section'}>
      <div>
        <h2>{title}</h2>
        {why && <p class="fine">{why}</p>}
      </div>
      {children}
    </section>
  );
}

/** Names and values; entries without a value are omitted. */
export function Facts(props: { class?: string; facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class={props.class ?? 'facts'}>
      {props.facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : typeof value === 'boolean' ? String(value) : value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Names the scope required for changes, or the first of those of which one is enough; shows nothing if the person has it. */
export function Lacks({ scope }: { scope: Scope | readonly [Scope, ...Scope[]] }) {
  const oneOf = [scope].flat();
  const { configuration } = useApp();
  return useScope(...oneOf) ? null : <p class="notice">{texts().lacks(configuration.scopes[oneOf[0]!])}</p>;
}
