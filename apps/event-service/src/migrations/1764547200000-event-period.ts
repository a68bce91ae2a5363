import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index of days with their events in the order of pages: a page of a day starts at its first event and does not read those of other days. */
export class EventPeriod1764547200000 implements MigrationInterface {
  /** An index that is built without blocking writes cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { event_period_idx: 'event (tenant, namespace_id, event_date, event_id)' });
    // The old index only had the days. Dropping it also waits for open transactions, and a timeout must not undo what was built.
    await runner.query(`set lock_timeout = 0`);
    await runner.query(`drop index concurrently if exists event_date_idx`);
    await runner.query(`reset lock_timeout`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`create index event_date_idx on event (tenant, namespace_id, event_date)`);
    await runner.query(`drop index event_period_idx`);
  }
}
