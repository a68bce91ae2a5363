import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of the overwritten events by the time of it, for the filter `modified_since`. New events are found by their id, and so pay nothing. */
export class EventModifiedAt1764028800000 implements MigrationInterface {
  /** An index that is built while others write cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for every transaction that is open, and holds nobody up meanwhile.
    await runner.query(`set lock_timeout = 0`);
    // Left behind, invalid, by an attempt that was interrupted.
    await runner.query(`drop index concurrently if exists event_modified_at_idx`);
    await runner.query(`create index concurrently event_modified_at_idx on event (tenant, namespace_id, modified_at) where overwritten`);
    await runner.query(`reset lock_timeout`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index event_modified_at_idx`);
  }
}
