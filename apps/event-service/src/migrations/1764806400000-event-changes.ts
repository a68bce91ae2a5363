import { indexMigration } from '@fibre/database';

/**
 * An index of events by the time at which they were created or overwritten, separately for each type, so that listing a rare type is as
 * fast as listing all types.
 */
export const EventChanges1764806400000 = indexMigration('EventChanges1764806400000', {
  build: { event_changes_idx: 'event (tenant, namespace_id, event_type, modified_at, event_id)' },
});
