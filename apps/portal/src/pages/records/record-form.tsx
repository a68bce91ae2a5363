import type { ComponentChildren } from 'preact';
import type { Refusal } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { words } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { TextField } from '../../ui/form/field.js';
import type { FormState, Values } from '../../ui/form/use-form.js';
import type { NamedRecord, RecordKind } from './record-kind.js';
import { texts } from './record-texts.js';

/** The place of a record's page in the menu. */
export function Above({ kind }: { kind: Pick<RecordKind, 'path' | 'group'> }) {
  return (
    <>
      {kind.group && <>{kind.group()} › </>}
      <a href={page(kind.path)}>{words()[kind.path]}</a>
    </>
  );
}

/** The fields of a record. @param saved the saved values, shown where they differ from the input */
export function RecordFields<R extends NamedRecord, V extends Values>(props: {
  kind: RecordKind<R, V>;
  form: FormState<V>;
  saved?: V | undefined;
}) {
  const t = texts();
  const { kind, form, saved } = props;
  return (
    <>
      {kind.fields().map(({ name, hint, isRequired, ...field }) => {
        const isOther = saved && saved[name] !== form.values[name];
        return (
          <TextField
            key={name}
            form={form}
            name={name}
            {...field}
            hint={isOther ? <mark>{t.savedNow(saved[name] || t.empty)}</mark> : hint}
            isOptional={!isRequired}
          />
        );
      })}
    </>
  );
}

export const requiredOf = <R extends NamedRecord, V extends Values>(kind: RecordKind<R, V>): (keyof V & string)[] =>
  kind.fields().flatMap(({ name, isRequired }) => (isRequired ? [name] : []));

/** The name of another record of the same kind. */
export function explainNameTaken(kind: { path: string; idName: string }, refusal: Refusal): ComponentChildren {
  if (!refusal.code?.endsWith('-name-taken')) return undefined;
  const t = texts();
  const [other] = (refusal.problem as { conflicts_with?: Record<string, string>[] }).conflicts_with ?? [];
  return (
    <Failure error={refusal} title={t.nameTaken} detail={t.nameTakenWhy} takesFocus>
      {other && <a href={page(`${kind.path}/${other[kind.idName]}`)}>{t.showOther}</a>}
    </Failure>
  );
}
