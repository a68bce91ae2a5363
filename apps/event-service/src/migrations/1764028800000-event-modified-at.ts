import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of overwritten events by time, for the filter `modified_since`. New events are found by their id and need no entry. */
export class EventModifiedAt1764028800000 implements MigrationInterface {
  /** An index that is built without blocking writes cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // `create index concurrently` waits for every open transaction, but blocks no one.
    await runner.query(`set lock_timeout = 0`);
    // An interrupted attempt leaves an invalid index.
    await runner.query(`drop index concurrently if exists event_modified_at_idx`);
    await runner.query(`create index concurrently event_modified_at_idx on event (tenant, namespace_id, modified_at) where overwritten`);
    await runner.query(`reset lock_timeout`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index event_modified_at_idx`);
  }
}
