import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A choice among a few values. */
export function SelectField(props: {
  name: string;
  label: string;
  value: string;
  options: readonly { readonly value: string; readonly label: string }[];
  onChange: (value: string) => void;
  hint?: ComponentChildren;
  error?: string | undefined;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.hint && (
        <p class="fine" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <select
        id={id}
        name={props.name}
        value={props.value}
        aria-invalid={props.error !== undefined}
        aria-describedby={[props.error && `${id}-error`, props.hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      >
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {props.error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {props.error}
        </p>
      )}
    </div>
  );
}
