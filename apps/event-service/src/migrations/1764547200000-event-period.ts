import { indexMigration } from '@fibre/database';

/**
 * Indexes the events of each day in page order: reading a page of a day starts at the page's first event and skips the events of other
 * days. The old index contained only the days.
 */
export const EventPeriod1764547200000 = indexMigration('EventPeriod1764547200000', {
  build: { event_period_idx: 'event (tenant, namespace_id, event_date, event_id)' },
  drop: { event_date_idx: 'event (tenant, namespace_id, event_date)' },
});
