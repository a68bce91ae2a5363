import { monthWindow } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { useLocation } from 'preact-iso';
import { refusedAt } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { useForm } from '../../ui/form/use-form.js';
import { IspField, type Isps } from '../entities/isps.js';
import { texts } from './billing-texts.js';

/** Month, ISP and the day since which to show corrections; empty if the address does not contain them. */
export type BillingChoice = Readonly<Record<'month' | 'partner_id' | 'since', string>>;

/** The filter of the page, which is kept in its address. */
export function BillingFilter({ choice, isps }: { choice: BillingChoice; isps: Isps }) {
  const t = texts();
  const { route } = useLocation();
  const form = useForm({
    initial: choice,
    required: ['month'],
    isLasting: false,
    save: (values) => {
      if (!monthWindow(values.month)) throw refusedAt('month', t.noMonth);
      if (values.since !== '' && !isDay(values.since)) throw refusedAt('since', t.noDay);
      const query = Object.entries(values).filter(([, value]) => value.trim() !== '');
      route(page(`billing?${new URLSearchParams(query).toString()}`));
      return Promise.resolve();
    },
  });
  return (
    <section class="section filter" aria-label={t.filters}>
      <Form form={form} submitLabel={t.show}>
        <div class="filter-fields">
          <TextField form={form} name="month" label={t.month} type="month" hint={t.monthHint} />
          <IspField form={form} name="partner_id" isps={isps} noneLabel={t.any} isOptional />
          <TextField form={form} name="since" label={t.since} type="date" hint={t.sinceHint} isOptional />
        </div>
      </Form>
    </section>
  );
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
