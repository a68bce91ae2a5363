import { EVENT_TOKENS } from '@fibre/client';
import { useLocation } from 'preact-iso';
import { Refusal } from '../../api/refusal.js';
import { page } from '../../configuration.js';
import { useListing } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { defineTexts } from '../../texts.js';
import { ExportButtons } from '../../ui/export-buttons.js';
import { Labelled } from '../../ui/form/field.js';
import { SelectField } from '../../ui/form/select-field.js';
import { Page } from '../../ui/page.js';
import type { RecordedEvent } from '../entities/entity.js';
import { EventTable } from '../entities/event-table.js';
import { useIsps } from '../entities/isps.js';
import '../entities/entities.css';

const FILTERS = ['period', 'period_end', 'token'] as const;
const FORMATS = ['csv', 'ndjson'] as const;

const texts = defineTexts({
  title: ['Events', 'Ereignisse'],
  explanation: [
    'All events, in the order in which they were recorded.',
    'Alle Ereignisse, in der Reihenfolge, in der sie aufgezeichnet wurden.',
  ],
  filters: ['Filters', 'Filter'],
  period: ['Took place from', 'Geschehen ab'],
  period_end: ['until', 'bis'],
  token: ['Which', 'Welche'],
  all: ['All', 'Alle'],
  fresh: ['created in the last hours', 'in den letzten Stunden angelegt'],
  untouched: ['never overwritten', 'nie überschrieben'],
  completed: ['of a period that is over', 'eines beendeten Zeitraums'],
  none: ['No event matches these filters.', 'Kein Ereignis passt zu diesen Filtern.'],
  csv: ['Export as CSV', 'Als CSV exportieren'],
  ndjson: ['Export as JSON lines', 'Als JSON Lines exportieren'],
});

/** The events of all entities. What is chosen applies at once and stands in the address. */
export function EventsPage() {
  const t = texts();
  const { fibre } = useApp();
  const { query, route } = useLocation();
  const isps = useIsps();
  const filters: object = Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const listing = useListing<RecordedEvent>(
    (place, signal) => fibre.events.list({ ...place, ...filters }, { signal }),
    JSON.stringify(filters),
  );
  const refused = listing.error instanceof Refusal ? listing.error.byField : undefined;
  const choose = (name: string, value: string): void => {
    const chosen = Object.entries({ ...filters, [name]: value }).filter(([, text]) => text !== '');
    route(page(`events?${new URLSearchParams(chosen).toString()}`), true);
  };
  const files = FORMATS.map((format) => ({
    label: t[format],
    name: `events.${format}`,
    read: (options: object) => fibre.events.export({ ...filters, format }, options),
  }));
  return (
    <Page title={t.title}>
      <p class="fine">{t.explanation}</p>
      <section class="filter-fields" aria-label={t.filters}>
        {(['period', 'period_end'] as const).map((name) => (
          <Labelled key={name} name={name} label={t[name]} error={refused?.get(name)}>
            {(attributes) => (
              <input
                {...attributes}
                type="date"
                value={query[name] ?? ''}
                onChange={({ currentTarget }) => choose(name, currentTarget.value)}
              />
            )}
          </Labelled>
        ))}
        <SelectField
          name="token"
          label={t.token}
          value={query['token'] ?? ''}
          options={[{ value: '', label: t.all }, ...EVENT_TOKENS.map((value) => ({ value, label: t[value] }))]}
          onChange={(value) => choose('token', value)}
          error={refused?.get('token')}
        />
      </section>
      <EventTable listing={listing} isps={isps} ofMany empty={<p>{t.none}</p>} />
      <ExportButtons files={files} />
    </Page>
  );
}
