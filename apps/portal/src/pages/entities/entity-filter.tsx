import { ENTITY_STATES } from '@fibre/client';
import { useLocation } from 'preact-iso';
import type { Words } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { Field, TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { useForm } from '../../ui/form/use-form.js';
import { LinkButton } from '../../ui/link-button.js';
import type { EntityFilters } from './entity.js';
import { texts } from './entity-texts.js';
import { IspField, type Isps } from './isps.js';
import { clockAt, isTimestamp } from './local-time.js';
import { MomentFields, momentOf } from './moment-fields.js';

const MOMENT = { local: 'local', zone: 'zone', which: 'which' } as const;

/** The filters of the list, which are kept in the address of the page. */
export function EntityFilter(props: {
  filters: EntityFilters;
  zone: string;
  isps: Isps;
  /** The service's error for a filter. */
  refused: ReadonlyMap<string, Words>;
}) {
  const t = texts();
  const { route } = useLocation();
  const { filters, zone, refused } = props;
  const initial = {
    state: filters.state ?? '',
    partner_id: filters.partner_id ?? '',
    article_code: filters.article_code ?? '',
    local: clockOf(filters.at, zone),
    zone,
    which: filters.at ?? '',
  };
  const own = useForm({
    initial,
    required: [],
    isLasting: false,
    save: (values) => {
      // The input does not show anything finer than a millisecond.
      const isSameMoment = values.local === initial.local && values.zone === zone && values.which === initial.which;
      const at = values.local === '' ? '' : isSameMoment && filters.at !== undefined ? filters.at : momentOf(values, MOMENT);
      const { state, partner_id, article_code } = values;
      const query = Object.entries({ state, partner_id: partner_id.trim(), article_code, at, zone: at && values.zone });
      const search = new URLSearchParams(query.filter(([, value]) => value !== ''));
      route(page(search.size > 0 ? `entities?${search.toString()}` : 'entities'));
      return Promise.resolve();
    },
  });
  const form: typeof own = { ...own, errorOf: (name) => own.errorOf(name) ?? refused.get(name === 'local' ? 'at' : name) };
  return (
    <section class="section filter" aria-label={t.filters}>
      <Form form={form} submitLabel={t.filter} actions={<LinkButton href={page('entities')}>{t.clear}</LinkButton>}>
        <div class="filter-fields">
          <Field form={form} name="state" label={t.state} isOptional>
            {(attributes) => (
              <select {...attributes} value={form.values.state} onChange={({ currentTarget }) => form.set('state', currentTarget.value)}>
                <option value="">{t.any}</option>
                {ENTITY_STATES.map((state) => (
                  <option key={state} value={state}>
                    {t[state]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <IspField form={form} name="partner_id" isps={props.isps} noneLabel={t.any} isOptional />
          <TextField form={form} name="article_code" label={t.article} isOptional />
          <MomentFields form={form} names={MOMENT} label={t.at} isOptional />
        </div>
      </Form>
    </section>
  );
}

function clockOf(at: string | undefined, zone: string): string {
  try {
    return at !== undefined && isTimestamp(at) ? clockAt(at, zone) : '';
  } catch {
    // Someone has edited the address.
    return '';
  }
}
