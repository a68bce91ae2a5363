import type { ComponentChildren } from 'preact';
import type { Refusal } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { type FormState, TextField } from '../../ui/form.js';
import { Failure } from '../../ui/failure.js';
import type { IspValues } from './isp.js';
import { texts } from './isp-texts.js';

/** The fields of an ISP. @param saved what is saved now, shown where it is something else than what was typed */
export function IspFields<V extends IspValues>({ form, saved }: { form: FormState<V>; saved?: IspValues | undefined }) {
  const t = texts();
  const hintOf = (name: keyof IspValues, usual?: string): ComponentChildren =>
    saved && saved[name] !== form.values[name] ? <mark>{t.savedNow(saved[name] || t.empty)}</mark> : usual;
  return (
    <>
      <TextField form={form} name="name" label={t.name} hint={hintOf('name', t.nameHint)} />
      <TextField form={form} name="email" label={t.email} hint={hintOf('email', t.emailHint)} isOptional type="email" />
      <TextField form={form} name="comment" label={t.comment} hint={hintOf('comment')} isOptional isLong />
    </>
  );
}

/** The name of another ISP. */
export function explainNameTaken(refusal: Refusal): ComponentChildren {
  if (refusal.code !== 'isp-name-taken') return undefined;
  const t = texts();
  const [other] = (refusal.problem as { conflicts_with?: { partner_id: string }[] }).conflicts_with ?? [];
  return (
    <Failure error={refusal} title={t.nameTaken} detail={t.nameTakenWhy} takesFocus>
      {other && <a href={page(`isps/${other.partner_id}`)}>{t.showOther}</a>}
    </Failure>
  );
}
