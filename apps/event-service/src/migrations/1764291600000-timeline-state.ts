import { sqlMigration } from '@fibre/database';

/** A timeline contains the state of its entity and the values of the current subscription. `append_event` updates them. */
export const TimelineState1764291600000 = sqlMigration('TimelineState1764291600000', {
  up: [
    `alter table timeline
      add column state text,
      add column state_since timestamptz(6),
      add column partner_id uuid,
      add column article_codes text[],
      add column option82 text,
      add column partner_reference text`,
  ],
  down: [
    `alter table timeline
      drop column state, drop column state_since, drop column partner_id, drop column article_codes, drop column option82,
      drop column partner_reference`,
  ],
});
