import { useState } from 'preact/hooks';
import { Refusal, type Words } from '../../api/refusal.js';
import { useAction } from '../../hooks/use-action.js';
import { useUnsaved } from '../../hooks/unsaved.js';
import { defineTexts } from '../../texts.js';

const texts = defineTexts({ isMissing: ['This field is required.', 'Dieses Feld ist erforderlich.'] });

export type Values = Record<string, string>;

export interface FormState<V extends Values> {
  readonly values: V;
  readonly isSaving: boolean;
  /** Why the last attempt failed. */
  readonly error: unknown;
  /** Error of a field, or of a part of it: `codes.0` is the first of the list `codes`. */
  readonly errorOf: (name: (keyof V & string) | `${keyof V & string}.${number}`) => Words | undefined;
  readonly set: (name: keyof V & string, value: string) => void;
  /** From now on only new input counts as a change. The fields stay as they are. */
  readonly isSaved: (values: V) => void;
  /** Saves unless it is saving already, so that a double click saves once. */
  readonly submit: () => Promise<void>;
  /** Does something else with the input; errors are shown like those of {@link submit}. */
  readonly run: (does: () => Promise<void>) => Promise<void>;
}

/** Error with this name, or within it. */
function errorAt(byField: ReadonlyMap<string, Words>, name: string): Words | undefined {
  const within = [...byField].filter(([field]) => field === name || field.startsWith(`${name}.`)).map(([, words]) => words);
  return within.length === 0 ? undefined : { ...within[0], text: within.map(({ text }) => text).join('\n') };
}

/**
 * State of a form. Input is kept here, so an error, an ended session or an unavailable service does not lose it.
 *
 * @param required the fields that must not be empty
 * @param isLasting whether losing the input needs a confirmation
 * @param save what it throws becomes the Refusal whose `errors` are shown at their fields
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
  useUnsaved(options.isLasting !== false && Object.keys(values).some((name) => values[name] !== saved[name]));

  const byField = error instanceof Refusal ? error.byField : new Map<string, Words>();
  return {
    values,
    isSaving: isBusy,
    error,
    errorOf: (name) => (missing.has(name) ? { text: t.isMissing } : errorAt(byField, name)),
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
