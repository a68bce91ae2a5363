import type { ComponentChildren } from 'preact';
import type { Refusal } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { type FormState, TextField } from '../../ui/form.js';
import { Failure } from '../../ui/failure.js';
import type { RelationValues } from './relation.js';
import { texts } from './relation-texts.js';

/** The fields of a relation. @param saved what is saved now, shown where it is something else than what was typed */
export function RelationFields({ form, saved }: { form: FormState<RelationValues>; saved?: RelationValues | undefined }) {
  const t = texts();
  const hintOf = (name: keyof RelationValues, usual?: string): ComponentChildren =>
    saved && saved[name] !== form.values[name] ? <mark>{t.savedNow(saved[name] || t.empty)}</mark> : usual;
  return (
    <>
      <TextField form={form} name="name" label={t.name} hint={hintOf('name', t.nameHint)} />
      <TextField form={form} name="pip" label={t.pip} hint={hintOf('pip')} />
      <TextField form={form} name="comment" label={t.comment} hint={hintOf('comment')} isOptional isLong />
    </>
  );
}

/** The name of another relation. */
export function explainNameTaken(refusal: Refusal): ComponentChildren {
  if (refusal.code !== 'relation-name-taken') return undefined;
  const t = texts();
  const [other] = (refusal.problem as { conflicts_with?: { relation_id: string }[] }).conflicts_with ?? [];
  return (
    <Failure error={refusal} title={t.nameTaken} detail={t.nameTakenWhy} takesFocus>
      {other && <a href={page(`relations/${other.relation_id}`)}>{t.showOther}</a>}
    </Failure>
  );
}
