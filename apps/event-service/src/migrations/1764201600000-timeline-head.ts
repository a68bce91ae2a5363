import { sqlMigration } from '@fibre/database';

/**
 * The head of a timeline contains its last lifecycle event by `event_at`, so that reading one row is enough to add a later event. The head
 * is correct if `lifecycle_version` equals the version, so heads written by older releases need no backfill: the next write corrects them.
 */
export const TimelineHead1764201600000 = sqlMigration('TimelineHead1764201600000', {
  up: [
    `alter table timeline
      add column lifecycle_version integer,
      add column lifecycle_id uuid,
      add column lifecycle_type text,
      add column lifecycle_at timestamptz(6)`,
  ],
  down: [
    `alter table timeline
      drop column lifecycle_version, drop column lifecycle_id, drop column lifecycle_type, drop column lifecycle_at`,
  ],
});
