import { useState } from 'preact/hooks';
import { Refusal, type Words } from '../../api/refusal.js';
import { useAction } from '../../hooks/use-action.js';
import { useUnsaved } from '../../hooks/unsaved.js';
import { defineTexts } from '../../texts.js';

const texts = defineTexts({ isMissing: 'This field is required.' }, { isMissing: 'Dieses Feld ist erforderlich.' });

export type Values = Record<string, string>;

export interface FormState<V extends Values> {
  readonly values: V;
  readonly isSaving: boolean;
  /** Why the last attempt did not work. */
  readonly error: unknown;
  /** What is wrong with a field, or with a part of it: `codes.0` is one of the list `codes`. */
  readonly errorOf: (name: (keyof V & string) | `${keyof V & string}.${number}`) => Words | undefined;
  readonly set: (name: keyof V & string, value: string) => void;
  /** What was typed since then is a change. The fields stay as they are. */
  readonly isSaved: (values: V) => void;
  /** Saves, unless that is under way: a double click saves once. */
  readonly submit: () => Promise<void>;
  /** Does something else with what was typed; refusals are shown as those of {@link submit} are. */
  readonly run: (does: () => Promise<void>) => Promise<void>;
}

/** What is wrong at a name, or within it. */
function errorAt(byField: ReadonlyMap<string, Words>, name: string): Words | undefined {
  const within = [...byField].filter(([field]) => field === name || field.startsWith(`${name}.`)).map(([, words]) => words);
  return within.length === 0 ? undefined : { ...within[0], text: within.map(({ text }) => text).join(' ') };
}

/**
 * State of a form. What is typed lives here, not in the page that the browser may leave: a refusal, an ended session or a service
 * that is away change nothing of it.
 *
 * @param required the fields that must not be empty
 * @param isLasting whether what is typed is worth a question before it is lost
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
