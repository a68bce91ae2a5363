import { STATUSES, TOKENS } from '@fibre/client';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { CONNECTED } from './access-node.js';
import { useCoverage } from './coverage-state.js';
import { choicesOf, nameOf, texts } from './coverage-texts.js';

/** The filters for the list and the map. */
export function FiltersPanel() {
  const t = texts();
  const { filters, relations, error, change } = useCoverage();
  return (
    <FilterFields
      filters={filters}
      change={change}
      error={error}
      fields={[
        { name: 'relation_id', label: t.relation, records: relations },
        { name: 'token', label: t.token, options: choicesOf(TOKENS) },
        { name: 'status', label: t.status, options: choicesOf(STATUSES) },
        { name: 'technology', label: t.technology, hint: t.technologyHint },
        { name: 'available_until', label: t.available_until, hint: t.availableUntilHint, type: 'date' },
        connectedFilter(),
        { name: 'created_by', label: t.created_by },
        { name: 'modified_by', label: t.modified_by },
      ]}
    />
  );
}

/** The filter for connected nodes, or for all others. */
export function connectedFilter() {
  const t = texts();
  return {
    name: 'connected',
    label: t.connected,
    options: CONNECTED.map((value) => ({ value, label: t.connectedChoices(value) })),
  } as const;
}

/** A stage with its mark on the map. */
export function Stage({ token }: { token: string }) {
  return (
    <span class="word">
      <span class={`dot ${token}`} aria-hidden="true" />
      {nameOf(token)}
    </span>
  );
}
