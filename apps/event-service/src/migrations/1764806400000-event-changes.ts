import { indexMigration } from '@fibre/database';

/** Events by the time at which they were created or overwritten, separately for each type, so that a rare type is found as fast as all. */
export const EventChanges1764806400000 = indexMigration('EventChanges1764806400000', {
  build: { event_changes_idx: 'event (tenant, namespace_id, event_type, modified_at, event_id)' },
});
