import { indexMigration } from '@fibre/database';

/**
 * An index of days with their events in the order of pages: a page of a day starts at its first event and does not read those of other days.
 * The old index only had the days.
 */
export const EventPeriod1764547200000 = indexMigration('EventPeriod1764547200000', {
  build: { event_period_idx: 'event (tenant, namespace_id, event_date, event_id)' },
  drop: { event_date_idx: 'event (tenant, namespace_id, event_date)' },
});
