import type { ComponentChildren } from 'preact';

/** Names and values; entries without a value are omitted. */
export function Facts(props: { class?: string; facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class={props.class ?? 'facts'}>
      {props.facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
