import { useEffect, useState } from 'preact/hooks';
import { Labelled, type LabelledProps } from './field.js';

/** A text that applies once it is complete: on Enter, or when the field loses focus; a date as soon as it is chosen. */
export function TextFilter(
  props: LabelledProps & {
    value: string | undefined;
    type?: 'date' | 'month' | 'datetime-local';
    onChange: (value: string | undefined) => void;
  },
) {
  const [text, setText] = useState(props.value ?? '');
  useEffect(() => setText(props.value ?? ''), [props.value]);
  // Preact's types know each type of input by itself.
  const { type = 'text' } = props as { type?: 'text' };
  const commit = (typed: string): void => {
    // The first digits of a year are a year too.
    const isUnfinished = props.type !== undefined && typed.startsWith('0');
    if (!isUnfinished && typed !== (props.value ?? '')) props.onChange(typed || undefined);
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
          onChange={({ currentTarget }) => commit(currentTarget.value.trim())}
        />
      )}
    </Labelled>
  );
}
