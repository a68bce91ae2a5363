import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Words } from '../../api/refusal.js';
import { defineTexts } from '../../texts.js';
import { Said } from '../said.js';
import type { FormState, Values } from './use-form.js';

const texts = defineTexts({ optional: ['optional', 'optional'] });

export const optional = (): string => texts().optional;

/** Links a control to its label, its hint and its error. */
export interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-required': boolean | undefined;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

export interface LabelledProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: Words | undefined;
  readonly isOptional?: boolean;
  readonly isRequired?: boolean;
}

/** A control with its label, its hint and its error. */
export function Labelled(props: LabelledProps & { children: (attributes: ControlAttributes) => ComponentChildren }) {
  const { name, hint, error } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {props.label}
        {props.isOptional && <span class="fine"> ({optional()})</span>}
      </label>
      {hint && (
        <p class="fine" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {props.children({
        id,
        name,
        'aria-required': props.isRequired,
        'aria-invalid': error !== undefined,
        'aria-describedby': [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
      })}
      {error && (
        <p class="error" id={`${id}-error`}>
          <Said {...error} />
        </p>
      )}
    </div>
  );
}

interface FieldProps<V extends Values> {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  hint?: ComponentChildren;
  isOptional?: boolean;
}

/** One line of text, or several. */
export function TextField<V extends Values>(
  props: FieldProps<V> & {
    isLong?: boolean;
    type?: 'text' | 'email' | 'datetime-local' | 'month' | 'date';
    /** Id of a `datalist`. */ list?: string;
  },
) {
  const { form, ...labelled } = props;
  const { name } = props;
  const edit = {
    value: form.values[name],
    autoComplete: 'off',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => form.set(name, currentTarget.value),
  };
  return (
    <Labelled {...labelled} error={form.errorOf(name)} isRequired={!props.isOptional}>
      {(attributes) =>
        props.isLong ? (
          <textarea rows={4} {...attributes} {...edit} />
        ) : (
          <input
            {...attributes}
            {...edit}
            type={props.type ?? 'text'}
            list={props.list}
            {...(props.type === 'datetime-local' && { step: 'any' })}
          />
        )
      }
    </Labelled>
  );
}
