import { useEffect, useId, useState } from 'preact/hooks';

/** A text that counts once it is complete: by Enter, or when the field is left. */
export function TextFilter(props: {
  name: string;
  label: string;
  hint?: string;
  value: string | undefined;
  error: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const id = useId();
  const [text, setText] = useState(props.value ?? '');
  useEffect(() => setText(props.value ?? ''), [props.value]);
  const commit = (): void => {
    if (text.trim() !== (props.value ?? '')) props.onChange(text.trim() || undefined);
  };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.hint && (
        <p class="fine" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <input
        id={id}
        name={props.name}
        value={text}
        autoComplete="off"
        aria-invalid={props.error !== undefined}
        aria-describedby={[props.error && `${id}-error`, props.hint && `${id}-hint`].filter(Boolean).join(' ') || undefined}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={commit}
        onKeyDown={({ key }) => key === 'Enter' && commit()}
      />
      {props.error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {props.error}
        </p>
      )}
    </div>
  );
}
