import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { refusedAt } from '../../api/refusal.js';
import { Field, TextField } from '../../ui/form/field.js';
import type { FormState } from '../../ui/form/use-form.js';
import { readClock } from './local-time.js';
import { texts } from './entity-texts.js';

/** A local time in a zone, and which of two moments it means. */
export type MomentValues = Record<'local' | 'zone' | 'which', string>;

/** Names of the form fields of a moment. */
export type MomentNames<V> = Record<keyof MomentValues, keyof V & string>;

/** The timestamp of the input. @throws Refusal for the field that is wrong */
export function momentOf<V extends Record<string, string>>(values: V, names: MomentNames<V>): string {
  const t = texts();
  const reading = readClock(values[names.local]!, values[names.zone]!);
  if (reading.kind === 'skipped') throw refusedAt(names.local, t.skipped);
  if (reading.kind === 'unknown-time') throw refusedAt(names.local, t.unknownTime);
  if (reading.kind === 'unknown-zone') throw refusedAt(names.zone, t.unknownZone);
  const [only, second] = reading.moments;
  if (second === undefined) return only!;
  const chosen = reading.moments.find((moment) => moment === values[names.which]);
  if (chosen === undefined) throw refusedAt(names.which, t.twiceHint);
  return chosen;
}

/** A date, a time and a zone, and the exact moment they mean. */
export function MomentFields<V extends Record<string, string>>(props: {
  form: FormState<V>;
  names: MomentNames<V>;
  label: string;
  hint?: ComponentChildren;
  zoneHint?: ComponentChildren;
  isOptional?: boolean;
}) {
  const t = texts();
  const { form, names } = props;
  const list = useId();
  const reading = readClock(form.values[names.local]!, form.values[names.zone]!);
  const moments = reading.kind === 'moments' ? reading.moments : [];
  return (
    <>
      <TextField
        form={form}
        name={names.local}
        label={props.label}
        type="datetime-local"
        hint={props.hint}
        isOptional={props.isOptional ?? false}
      />
      <TextField form={form} name={names.zone} label={t.zone} hint={props.zoneHint} list={list} isOptional={props.isOptional ?? false} />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {moments.length > 1 && (
        <Field form={form} name={names.which} label={t.twice} hint={t.twiceHint}>
          {(attributes) => (
            <select
              {...attributes}
              value={form.values[names.which]}
              onChange={({ currentTarget }) => form.set(names.which, currentTarget.value)}
            >
              <option value="">{t.choose}</option>
              {moments.map((moment) => (
                <option key={moment} value={moment}>
                  {moment}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {moments.length === 1 && (
        <p class="fine exactly">
          {t.isExactly} <code>{moments[0]}</code>
        </p>
      )}
    </>
  );
}
