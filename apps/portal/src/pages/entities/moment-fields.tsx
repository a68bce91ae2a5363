import { useId } from 'preact/hooks';
import { TextField } from '../../ui/form/field.js';
import type { FormState } from '../../ui/form/form.js';
import { momentAt } from './local-time.js';
import { texts } from './entity-texts.js';

/** A local time in a zone. */
type MomentValues = Record<'event_at' | 'event_timezone', string>;

/** A date, a time and a zone, and the exact moment they mean. */
export function MomentFields<V extends MomentValues>({ form, hint }: { form: Pick<FormState<V>, 'values' | 'field'>; hint: string }) {
  const t = texts();
  const zones = useId();
  const moment = momentAt(form.values.event_at, form.values.event_timezone);
  return (
    <>
      <TextField {...form.field('event_at')} label={t.place} type="datetime-local" hint={hint} />
      <TextField {...form.field('event_timezone')} label={t.zone} hint={t.eventZoneHint} list={zones} />
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {moment && (
        <p class="fine">
          {t.isExactly} <code>{moment}</code>
        </p>
      )}
    </>
  );
}
