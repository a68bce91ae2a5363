import { sqlMigration } from '@fibre/database';

/**
 * A timeline stores when its events were recorded and which event was recorded last, so that a page of entities does not need to read
 * events. Adding an event or overwriting user attributes updates these values.
 */
export const TimelineRecorded1764633600000 = sqlMigration('TimelineRecorded1764633600000', {
  up: [
    `alter table timeline
      add column created_at timestamptz(3),
      add column modified_at timestamptz(3),
      add column last_event_id uuid`,
    // No release that may still be running calls it.
    `drop function if exists append_event(
      smallint, text, uuid, uuid, integer, uuid, text, timestamptz, text, date, json, uuid, text, json, text, timestamptz)`,
  ],
  down: [`alter table timeline drop column created_at, drop column modified_at, drop column last_event_id`],
});
