import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A timeline contains the state of its entity and the values of the running subscription. `append_event` updates them. */
export class TimelineState1764291600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table timeline
        add column state text,
        add column state_since timestamptz(6),
        add column partner_id uuid,
        add column article_codes text[],
        add column option82 text,
        add column partner_reference text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table timeline
        drop column state, drop column state_since, drop column partner_id, drop column article_codes, drop column option82,
        drop column partner_reference`);
  }
}
