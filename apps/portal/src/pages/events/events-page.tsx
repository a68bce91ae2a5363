import { EVENT_TOKENS, EVENT_TYPES, type ListedEvent } from '@fibre/client';
import { useFilters } from '../../hooks/use-filters.js';
import { useListing } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { defineTexts } from '../../texts.js';
import { ExportButtons } from '../../ui/transfer.js';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { LinkButton } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { EventTable } from '../entities/event-table.js';
import { texts } from '../entities/entity-texts.js';
import { endOfDayBefore } from '../entities/local-time.js';
import { useIsps } from '../entities/parts.js';
import '../entities/entities.css';

const FILTERS = [
  'event_type',
  'partner_id',
  'recorded_from',
  'recorded_until',
  'period',
  'period_end',
  'token',
  'created_by',
  'modified_by',
] as const;

/** The first and the last day that the service knows: it has no open ranges, and takes a first day alone as a single day. */
const [FIRST_DAY, LAST_DAY] = ['0001-01-01', '9999-12-31'];

const pageTexts = defineTexts({
  explanation: ['All events; the last one recorded comes first.', 'Alle Ereignisse; das zuletzt erfasste steht oben.'],
  kind: ['Type', 'Art'],
  which: ['Which', 'Welche'],
  period: ['Took place from', 'Geschehen ab'],
  period_end: ['Took place until', 'Geschehen bis'],
  recorded_from: ['Recorded from', 'Erfasst ab'],
  recorded_until: ['Recorded until', 'Erfasst bis'],
  created_by: ['Recorded by', 'Erfasst von'],
  modified_by: ['Overwritten by', 'Überschrieben von'],
  fresh: ['recorded recently', 'kürzlich erfasst'],
  untouched: ['never overwritten', 'nie überschrieben'],
  completed: ['of a subscription that has ended', 'eines abgelaufenen Abonnements'],
  refusedEvents: ['Refused events', 'Abgelehnte Ereignisse'],
  noneFound: ['No event matches these filters.', 'Kein Ereignis passt zu diesen Filtern.'],
});

/** The events of all entities. A chosen filter applies immediately and becomes part of the URL. */
export function EventsPage() {
  const t = { ...texts(), ...pageTexts() };
  const { fibre } = useApp();
  const isps = useIsps();
  const { filters, change, key } = useFilters(FILTERS);
  const { period, period_end, recorded_from: from, recorded_until: until } = filters;
  const isRange = period !== undefined || period_end !== undefined;
  // The service rejects invalid values.
  const search = {
    ...filters,
    ...(isRange && { period: period ?? FIRST_DAY, period_end: period_end ?? LAST_DAY }),
    ...(from !== undefined && { recorded_from: endOfDayBefore(from) }),
    ...(until !== undefined && { recorded_until: endOfDayBefore(until, 1) }),
  } as object;
  const listing = useListing<ListedEvent>(
    (place, signal) => fibre.events.list({ ...place, ...search, with_subscription: 'true', _order: 'desc' }, { signal }),
    key,
  );
  return (
    <Page title={t.events} actions={<LinkButton label={t.refusedEvents} to="events/refused" />}>
      <p class="fine">{t.explanation}</p>
      <FilterFields
        filters={filters}
        change={change}
        error={listing.error}
        fields={[
          { name: 'event_type', label: t.kind, options: EVENT_TYPES.map((value) => ({ value, label: t[value] })) },
          { name: 'partner_id', label: t.isp, records: isps },
          { name: 'recorded_from', label: t.recorded_from, type: 'date' },
          { name: 'recorded_until', label: t.recorded_until, type: 'date' },
          { name: 'period', label: t.period, type: 'date', isRare: true },
          { name: 'period_end', label: t.period_end, type: 'date', isRare: true },
          { name: 'token', label: t.which, options: EVENT_TOKENS.map((value) => ({ value, label: t[value] })), isRare: true },
          { name: 'created_by', label: t.created_by, isRare: true },
          { name: 'modified_by', label: t.modified_by, isRare: true },
        ]}
      />
      <EventTable listing={listing} isps={isps} ofMany empty={t.noneFound} />
      <ExportButtons
        name="events"
        formats={['csv', 'ndjson']}
        read={(format, options) => fibre.events.export({ ...search, format }, options)}
      />
    </Page>
  );
}
