import type { ComponentChildren } from 'preact';

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
