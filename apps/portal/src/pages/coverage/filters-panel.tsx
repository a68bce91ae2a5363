import { STATUSES, TOKENS } from '@fibre/client';
import { RecordChoice } from '../../ui/form/record-choice.js';
import { SelectField } from '../../ui/form/select-field.js';
import { TextFilter } from '../../ui/form/text-filter.js';
import { Section } from '../../ui/section.js';
import { FILTERS, useCoverage } from './coverage-state.js';
import { nameOf, texts } from './coverage-texts.js';

/** The filters of list and map, and the legend of the map. */
export function FiltersPanel() {
  const t = texts();
  const { filters, relations, errors, change } = useCoverage();
  const choice = (name: 'token' | 'status', values: readonly string[]) => (
    <SelectField
      name={name}
      label={t[name]}
      value={filters[name] ?? ''}
      options={[{ value: '', label: t.all }, ...values.map((value) => ({ value, label: nameOf(value) }))]}
      onChange={(chosen) => change({ [name]: chosen })}
      error={errors.get(name)}
    />
  );
  return (
    <>
      <RecordChoice
        records={relations}
        label={t.relation}
        value={filters.relation_id ?? ''}
        noneLabel={t.everyRelation}
        error={errors.get('relation_id')}
        onChange={(relation_id) => change({ relation_id })}
      />
      {choice('token', TOKENS)}
      <TextFilter
        name="technology"
        label={t.technology}
        hint={t.technologyHint}
        value={filters.technology}
        error={errors.get('technology')}
        onChange={(technology) => change({ technology })}
      />
      {choice('status', STATUSES)}
      {FILTERS.some((name) => filters[name] !== undefined) && (
        <button type="button" class="small" onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
          {t.reset}
        </button>
      )}
      <Section title={t.legend} class="legend">
        <ul>
          {TOKENS.map((token) => (
            <li key={token}>
              <span class={`dot ${token}`} aria-hidden="true" />
              {nameOf(token)}
            </li>
          ))}
          <li>
            <span class="dot cell" aria-hidden="true" />
            {t.legendCells}
          </li>
        </ul>
      </Section>
    </>
  );
}
