import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Sentences } from '../../refusal.js';
import { defineTexts } from '../../texts.js';
import { Translated } from '../translated.js';

const texts = defineTexts({ optional: ['optional', 'optional'] });

/** Props of every field. Most of them come from a form (`form.field('name')`) or a filter. */
export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: Sentences | undefined;
  /** If false, the label says that the field is optional. */
  readonly isRequired?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Links a control to its label, its hint and its error. */
type ControlAttributes = Pick<JSX.IntrinsicElements['input'], 'id' | 'name' | 'aria-required' | 'aria-invalid' | 'aria-describedby'>;

/** A control with its label, its hint and its error. */
export function Labelled(
  props: Omit<FieldProps, 'value' | 'onChange'> & { children: (attributes: ControlAttributes) => ComponentChildren },
) {
  const { name, hint, error, isRequired } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {props.label}
        {isRequired === false && <span class="fine"> ({texts().optional})</span>}
      </label>
      {hint && (
        <p class="fine" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {props.children({
        id,
        name,
        'aria-required': isRequired,
        'aria-invalid': error !== undefined,
        'aria-describedby': [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
      })}
      {error && (
        <p class="error" id={`${id}-error`}>
          <Translated {...error} />
        </p>
      )}
    </div>
  );
}

export interface TextProps extends FieldProps {
  readonly isLong?: boolean | undefined;
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'datetime-local' | 'month' | 'date' | undefined;
  /** Id of a `datalist`. */
  readonly list?: string;
}

/** One line of text, or several. @param onCommit is called on Enter, or when the field loses focus */
export function TextField({ value, onChange, onCommit, isLong, type, list, ...field }: TextProps & { onCommit?: (value: string) => void }) {
  return (
    <Labelled {...field}>
      {(attributes) => {
        const edit = {
          ...attributes,
          value,
          autoComplete: 'off',
          onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
          onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onCommit?.(currentTarget.value),
        };
        if (isLong) return <textarea rows={4} {...edit} />;
        return <input {...edit} type={type} list={list} {...(type === 'datetime-local' && { step: 'any' })} />;
      }}
    </Labelled>
  );
}

/** A text filter that applies once the text is complete. */
export function TextFilter(props: TextProps) {
  const [text, setText] = useState(props.value);
  useEffect(() => setText(props.value), [props.value]);
  const commit = (typed: string): void => {
    // While a year is being typed, its first digits already count as a year.
    const isUnfinished = props.type !== undefined && typed.startsWith('0');
    if (!isUnfinished && typed.trim() !== props.value) props.onChange(typed.trim());
  };
  return <TextField {...props} value={text} onChange={setText} onCommit={commit} />;
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly lang?: string;
}

/** A choice among a few values. */
export function SelectField({ value, options, onChange, ...field }: FieldProps & { options: readonly Option[] }) {
  return (
    <Labelled {...field}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value} lang={option.lang}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** A choice between yes and no. */
export function CheckField(props: { label: string; isOn: boolean; isOff?: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.isOn}
        disabled={props.isOff}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}
