import { useEffect, useState } from 'preact/hooks';
import { Labelled, type LabelledProps } from './field.js';

/** A text that applies once it is complete: on Enter, or when the field loses focus. */
export function TextFilter(
  props: LabelledProps & {
    value: string | undefined;
    type?: 'text' | 'date' | 'month' | 'datetime-local';
    onChange: (value: string | undefined) => void;
  },
) {
  const [text, setText] = useState(props.value ?? '');
  useEffect(() => setText(props.value ?? ''), [props.value]);
  // Preact's types know each type of input by itself.
  const { type = 'text' } = props as { type?: 'text' };
  const commit = (): void => {
    if (text.trim() !== (props.value ?? '')) props.onChange(text.trim() || undefined);
  };
  return (
    <Labelled {...props}>
      {(attributes) => (
        <input
          {...attributes}
          type={type}
          {...(props.type === 'datetime-local' && { step: 'any' })}
          value={text}
          autoComplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onBlur={commit}
          onKeyDown={({ key }) => key === 'Enter' && commit()}
        />
      )}
    </Labelled>
  );
}
