import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Refusal, refusedAt, type Sentences } from '../../refusal.js';
import type { Scope } from '../../configuration.js';
import { useAction } from '../../hooks/use-action.js';
import { useUnsaved } from '../../hooks/leaving.js';
import { useScope } from '../../session/context.js';
import { defineTexts } from '../../texts.js';
import { Failure } from '../failure.js';
import { Lacks } from '../page.js';
import type { FieldProps } from './field.js';
import { Button } from '../button.js';

const texts = defineTexts({ isMissing: ['This field is required.', 'Dieses Feld ist erforderlich.'] });

export type Values = Record<string, string>;

export interface FormState<V extends Values> {
  readonly values: V;
  readonly isSaving: boolean;
  /** Why the last attempt failed. */
  readonly error: unknown;
  /** The props that a field needs. */
  readonly field: (name: keyof V & string) => Omit<FieldProps, 'label'>;
  readonly set: (name: keyof V & string, value: string) => void;
  /** Saves, after which the input no longer counts as unsaved, or does something else with complete input. A double click saves once. */
  readonly submit: (does?: (values: V) => Promise<void>) => Promise<void>;
}

/** Whether an error is about a field or, as `codes.0` is about the first entry of the list `codes`, about a part of it. */
const isAbout = (error: string, field: string): boolean => error === field || error.startsWith(`${field}.`);

/** What is wrong with a field, and with parts of it, which are named; entries of a list are counted from 1. */
function errorAt(byField: ReadonlyMap<string, Sentences>, field: string): Sentences | undefined {
  const found = [...byField].filter(([name]) => isAbout(name, field));
  const lines = found.map(([name, { text }]) => {
    const part = name.slice(field.length + 1);
    return part === '' ? text : `${/^\d+$/.test(part) ? Number(part) + 1 : part}: ${text}`;
  });
  return found[0] && { ...found[0][1], text: lines.join('\n') };
}

/**
 * State of a form. Input is kept here, so it is not lost after an error, when the session ends or while the service is unavailable.
 *
 * @param required the fields that must not be empty
 * @param isLasting whether discarding the input requires a confirmation
 * @param save saves the values; an error that it throws becomes a Refusal, whose `errors` are shown next to their fields
 */
export function useForm<V extends Values>(options: {
  initial: V;
  required: readonly (keyof V & string)[];
  isLasting?: boolean;
  save: (values: V) => Promise<void>;
}): FormState<V> {
  const t = texts();
  const [saved, setSaved] = useState(options.initial);
  const [values, setValues] = useState(options.initial);
  const { isBusy, error, run } = useAction();
  useUnsaved(options.isLasting !== false && Object.keys(values).some((name) => values[name] !== saved[name]));

  const byField = error instanceof Refusal ? error.byField : new Map<string, Sentences>();
  const set = (name: keyof V & string, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  return {
    values,
    isSaving: isBusy,
    error,
    field: (name) => ({
      name,
      value: values[name]!,
      error: errorAt(byField, name),
      isRequired: options.required.includes(name),
      onChange: (value) => set(name, value),
    }),
    set,
    submit: (does = options.save) =>
      run(async () => {
        const missing = options.required.filter((name) => values[name]?.trim() === '');
        if (missing.length > 0) throw refusedAt(missing, t.isMissing);
        await does(values);
        if (does === options.save) setSaved(values);
      }),
  };
}

/** A form that shows general errors above the fields and, after a failed attempt, moves the focus to where it is needed. */
export function Form<V extends Values>(props: {
  form: FormState<V>;
  /** Label of the save button. */
  submitLabel: string;
  /** The scope that saving requires; without it the button is disabled, and the form says why. */
  scope?: Scope;
  isOff?: boolean;
  isDanger?: boolean;
  /** A second button, for something else that needs complete input. */
  other?: { readonly label: string; readonly does: (values: V) => Promise<void> };
  /** Shows the current version of a record that somebody else has changed. */
  onOutdated?: () => void;
  /** A link that helps after a conflict, which the service names in its own words. */
  conflict?: ComponentChildren;
  /** Shown next to the save button. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { form, scope } = props;
  const hasScope = useScope(scope);
  const element = useRef<HTMLFormElement>(null);
  const refusal = form.error instanceof Refusal ? form.error : undefined;
  const errors = [...(refusal?.byField.keys() ?? [])];
  const isAtFields = errors.length > 0 && errors.every((error) => Object.keys(form.values).some((field) => isAbout(error, field)));
  const attempt = async (does?: (values: V) => Promise<void>): Promise<void> => {
    await form.submit(does);
    // Wait for the next render, which marks the invalid fields.
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <form
      ref={element}
      noValidate
      aria-busy={form.isSaving}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt();
      }}
    >
      {scope && <Lacks scope={scope} />}
      {form.error !== undefined && !isAtFields && (
        <Failure
          error={form.error}
          takesFocus
          onOutdated={props.onOutdated}
          onRetry={refusal?.isPassing ? () => void attempt() : undefined}
        >
          {refusal?.status === 409 && props.conflict}
        </Failure>
      )}
      {props.children}
      <div class="actions">
        <button
          type="submit"
          class={props.isDanger ? 'danger' : 'primary'}
          disabled={props.isOff || !hasScope}
          aria-disabled={form.isSaving}
        >
          {props.submitLabel}
        </button>
        {props.other && <Button label={props.other.label} isBusy={form.isSaving} onClick={() => void attempt(props.other!.does)} />}
        {props.actions}
      </div>
    </form>
  );
}
