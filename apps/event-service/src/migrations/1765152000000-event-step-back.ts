import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TIMELINE = 'event (tenant, namespace_id, entity_id, shard_key, event_at)';
const LIFECYCLE = `event_type <> 'notification'`;

/** One for each thing that applies at an instant: the event before it is the only one that is read. */
const INDEXES: Readonly<Record<string, string>> = {
  event_activation_idx: `${TIMELINE} where event_type = 'activation'`,
  event_option82_idx: `${TIMELINE} where ${LIFECYCLE} and (sys_attributes ->> 'option82') is not null`,
  event_partner_reference_idx: `${TIMELINE} where ${LIFECYCLE} and (sys_attributes ->> 'partner_reference') is not null`,
};

/**
 * Indexes with the shard key before the time, so that PostgreSQL knows that it finds an event with one step back. In the older ones the shard
 * key came last or was missing, and it often read and sorted all events of the timeline.
 */
export class EventStepBack1765152000000 implements MigrationInterface {
  /** An index that is built without blocking writes cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, { event_lifecycle_at_key: `${TIMELINE} where ${LIFECYCLE}` }, 'unique index');
    await buildIndexes(runner, INDEXES);
    await runner.query(`set lock_timeout = 0`);
    for (const old of ['event_lifecycle_key', 'event_subscription_idx']) await runner.query(`drop index concurrently if exists ${old}`);
    await runner.query(`reset lock_timeout`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create unique index event_lifecycle_key on event (tenant, namespace_id, entity_id, event_at, shard_key) where ${LIFECYCLE}`,
    );
    await runner.query(`
      create index event_subscription_idx on event (tenant, namespace_id, entity_id, event_at) where ${LIFECYCLE} and (
        event_type = 'activation' or (sys_attributes ->> 'option82') is not null or (sys_attributes ->> 'partner_reference') is not null
      )`);
    for (const name of ['event_lifecycle_at_key', ...Object.keys(INDEXES)]) await runner.query(`drop index ${name}`);
  }
}
