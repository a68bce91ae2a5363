import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/refusal.js';
import { defineTexts } from '../texts.js';
import { Failure } from './failure.js';
import { useAction } from '../hooks/use-action.js';

const texts = defineTexts(
  { optional: 'optional', isMissing: 'This is needed.', saving: 'Saving …' },
  { optional: 'freiwillig', isMissing: 'Das wird gebraucht.', saving: 'Wird gespeichert …' },
);

type Values = Record<string, string>;

export interface FormState<V extends Values> {
  readonly values: V;
  readonly isSaving: boolean;
  readonly isChanged: boolean;
  /** Why the last attempt did not work. */
  readonly error: unknown;
  /** What is wrong with a field, or with a part of it: `codes.0` is one of the list `codes`. */
  readonly errorOf: (name: (keyof V & string) | `${keyof V & string}.${number}`) => string | undefined;
  readonly set: (name: keyof V & string, value: string) => void;
  /** What was typed since then is a change. The fields stay as they are. */
  readonly isSaved: (values: V) => void;
  /** Saves, unless that is under way: a double click saves once. */
  readonly submit: () => Promise<void>;
  /** Does something else with what was typed; refusals are shown as those of {@link submit} are. */
  readonly run: (does: () => Promise<void>) => Promise<void>;
}

/** What is wrong at a name; what is wrong within it is said there too. */
function errorAt(byField: ReadonlyMap<string, string>, name: string): string | undefined {
  const within = [...byField].filter(([field]) => field === name || field.startsWith(`${name}.`));
  return within.map(([, detail]) => detail).join(' ') || undefined;
}

/**
 * State of a form. What is typed lives here, not in the page that the browser may leave: a refusal, an ended session or a service
 * that is away change nothing of it.
 *
 * @param required the fields that must not be empty
 * @param isLasting whether what is typed is worth a warning before the window is left
 * @param save what it throws becomes the Refusal whose `errors` are then shown at the fields they name
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
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, error, run, forget } = useAction();
  const isChanged = Object.keys(values).some((name) => values[name] !== saved[name]);
  useWarningBeforeLeaving(isChanged && options.isLasting !== false);

  const byField = error instanceof Refusal ? error.byField : new Map<string, string>();
  return {
    values,
    isSaving: isBusy,
    isChanged,
    error,
    errorOf: (name) => (missing.has(name) ? t.isMissing : errorAt(byField, name)),
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setMissing((before) => new Set([...before].filter((one) => one !== name)));
    },
    isSaved: setSaved,
    submit: async () => {
      const empty = options.required.filter((name) => values[name]?.trim() === '');
      setMissing(new Set(empty));
      if (empty.length > 0) return forget();
      await run(() => options.save(values));
    },
    run,
  };
}

function useWarningBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isChanged]);
}

/** A form: what is wrong as a whole above the fields, and after a refused attempt the focus where it has to go. */
export function Form<V extends Values>(props: {
  form: FormState<V>;
  /** Of the button that saves. */
  submitLabel: string;
  /** Why nobody may save now; the button is then off. */
  isOff?: boolean;
  /** Explains a refusal better than its own words. */
  explain?: (refusal: Refusal) => ComponentChildren;
  /** Stands beside the button that saves. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { form } = props;
  const element = useRef<HTMLFormElement>(null);
  const names = Object.keys(form.values);
  const isAtFields = form.error instanceof Refusal && form.error.byField.size > 0 && [...form.error.byField.keys()].every(isField);
  function isField(name: string): boolean {
    return names.some((field) => name === field || name.startsWith(`${field}.`));
  }
  const attempt = async (): Promise<void> => {
    await form.submit();
    // After the next rendering, which marks the fields.
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const explanation = form.error instanceof Refusal ? props.explain?.(form.error) : undefined;
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
      {explanation ??
        (form.error !== undefined && !isAtFields && (
          <Failure
            error={form.error}
            takesFocus
            {...(form.error instanceof Refusal && form.error.isPassing && { onRetry: () => void attempt() })}
          />
        ))}
      {props.children}
      <div class="actions">
        <button type="submit" class="primary" disabled={props.isOff} aria-disabled={form.isSaving}>
          {form.isSaving ? texts().saving : props.submitLabel}
        </button>
        {props.actions}
      </div>
    </form>
  );
}

/** What ties a control to its label, its hint and what is wrong with it. */
export interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-required': boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps<V extends Values> {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  hint?: ComponentChildren;
  isOptional?: boolean;
}

/** A control with its label, its hint and what is wrong with it. */
export function Field<V extends Values>(props: FieldProps<V> & { children: (attributes: ControlAttributes) => ComponentChildren }) {
  const { form, name } = props;
  const id = useId();
  const error = form.errorOf(name);
  return (
    <div class="field">
      <label for={id}>
        {props.label}
        {props.isOptional && <span class="fine"> ({texts().optional})</span>}
      </label>
      {props.hint && (
        <p class="fine" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.children({
        id,
        name,
        'aria-required': !props.isOptional,
        'aria-invalid': error !== undefined,
        'aria-describedby': [error && `${id}-error`, props.hint && `${id}-hint`].filter(Boolean).join(' ') || undefined,
      })}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** One line of text, or several. */
export function TextField<V extends Values>(
  props: FieldProps<V> & { isLong?: boolean; type?: 'text' | 'email' | 'datetime-local'; /** Id of a `datalist`. */ list?: string },
) {
  const { form, name } = props;
  const edit = {
    value: form.values[name],
    autoComplete: 'off',
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => form.set(name, currentTarget.value),
  };
  return (
    <Field {...props}>
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
    </Field>
  );
}
