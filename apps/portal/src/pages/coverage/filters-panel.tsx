import { STATUSES, TOKENS } from '@fibre/client';
import type { Words } from '../../api/refusal.js';
import { SelectField } from '../../ui/form/select-field.js';
import type { Filters } from './access-node.js';
import { FILTERS, type Changes } from './coverage-state.js';
import { statusName, texts, tokenName } from './coverage-texts.js';
import { RelationChoice, type Relations } from './relation-choice.js';
import { TextFilter } from '../../ui/form/text-filter.js';

/** The filters of list and map, and the legend of the map. */
export function FiltersPanel(props: {
  filters: Filters;
  relations: Relations;
  /** The service's error for a filter. */
  errors: ReadonlyMap<string, Words>;
  change: (changes: Changes) => void;
}) {
  const t = texts();
  const { filters, errors, change } = props;
  const isFiltered = FILTERS.some((name) => filters[name] !== undefined);
  return (
    <>
      <div class="coverage-fields">
        <RelationChoice
          relations={props.relations}
          value={filters.relation_id}
          error={errors.get('relation_id')}
          onChange={(relation_id) => change({ relation_id })}
        />
        <SelectField
          name="token"
          label={t.token}
          value={filters.token ?? ''}
          options={[{ value: '', label: t.all }, ...TOKENS.map((value) => ({ value, label: tokenName(value) }))]}
          onChange={(token) => change({ token })}
          error={errors.get('token')}
        />
        <TextFilter
          name="technology"
          label={t.technology}
          hint={t.technologyHint}
          value={filters.technology}
          error={errors.get('technology')}
          onChange={(technology) => change({ technology })}
        />
        <SelectField
          name="status"
          label={t.status}
          value={filters.status ?? ''}
          options={[{ value: '', label: t.all }, ...STATUSES.map((value) => ({ value, label: statusName(value) }))]}
          onChange={(status) => change({ status })}
          error={errors.get('status')}
        />
        {isFiltered && (
          <button type="button" class="small" onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
            {t.reset}
          </button>
        )}
      </div>
      <section class="legend">
        <h2>{t.legend}</h2>
        <ul>
          {TOKENS.map((token) => (
            <li key={token}>
              <span class={`dot ${token}`} aria-hidden="true" />
              {tokenName(token)}
            </li>
          ))}
          <li>
            <span class="dot cell" aria-hidden="true" />
            {t.legendCells}
          </li>
        </ul>
      </section>
    </>
  );
}
