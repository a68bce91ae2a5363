import { useId } from 'preact/hooks';
import { refusedAt } from '../../api/refusal.js';
import { SelectField, TextField } from '../../ui/form/field.js';
import type { FormState } from '../../ui/form/form.js';
import { readClock } from './local-time.js';
import { texts } from './entity-texts.js';

/** A local time in a zone and, if it stands for two moments, which of the two. */
type MomentValues = Record<'event_at' | 'event_timezone' | 'which', string>;

/** The timestamp that the input stands for; `undefined` while the input is incomplete. */
export function chosenMoment({ event_at, event_timezone, which }: MomentValues): string | undefined {
  const { moments } = readClock(event_at, event_timezone);
  return moments.length === 1 ? moments[0] : moments.find((moment) => moment === which);
}

/** The timestamp that the input stands for. @throws Refusal for the field that is wrong */
export function momentOf(values: MomentValues): string {
  const t = texts();
  const { fault } = readClock(values.event_at, values.event_timezone);
  if (fault !== undefined) throw refusedAt(fault === 'unknownZone' ? 'event_timezone' : 'event_at', t[fault]);
  const chosen = chosenMoment(values);
  if (chosen === undefined) throw refusedAt('which', t.twiceHint);
  return chosen;
}

/** A date, a time and a zone, and the exact moment they mean. */
export function MomentFields<V extends MomentValues>({ form, hint }: { form: Pick<FormState<V>, 'values' | 'field'>; hint: string }) {
  const t = texts();
  const zones = useId();
  const { moments } = readClock(form.values.event_at, form.values.event_timezone);
  return (
    <>
      <TextField {...form.field('event_at')} label={t.place} type="datetime-local" hint={hint} />
      <TextField {...form.field('event_timezone')} label={t.zone} hint={t.eventZoneHint} list={zones} />
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {moments.length > 1 && (
        <SelectField
          {...form.field('which')}
          isRequired
          label={t.twice}
          hint={t.twiceHint}
          options={[{ value: '', label: t.choose }, ...moments.map((moment) => ({ value: moment, label: moment }))]}
        />
      )}
      {moments.length === 1 && (
        <p class="fine">
          {t.isExactly} <code>{moments[0]}</code>
        </p>
      )}
    </>
  );
}
