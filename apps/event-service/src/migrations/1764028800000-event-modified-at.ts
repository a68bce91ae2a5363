import { indexMigration } from '@fibre/database';

/** An index of overwritten events by time, for the `modified_since` filter. New events are found by their ids and need no entry. */
export const EventModifiedAt1764028800000 = indexMigration('EventModifiedAt1764028800000', {
  build: { event_modified_at_idx: 'event (tenant, namespace_id, modified_at) where overwritten' },
});
