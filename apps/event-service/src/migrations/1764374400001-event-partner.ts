import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of the events that may name a partner, with which the deletion of an ISP finds out whether one does. Its condition is the event
 * type and not the partner, so that building it does not read the attributes of updates, and those of activations only once.
 */
export class EventPartner1764374400001 implements MigrationInterface {
  /** An index that is built without blocking writes cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // `create index concurrently` waits for every open transaction, but blocks no one.
    await runner.query(`set lock_timeout = 0`);
    // An interrupted attempt leaves an invalid index.
    await runner.query(`drop index concurrently if exists event_partner_idx`);
    await runner.query(`
      create index concurrently event_partner_idx on event (tenant, namespace_id, ((sys_attributes->>'partner_id')::uuid))
      where event_type in ('activation', 'notification') and sys_attributes is not null`);
    await runner.query(`reset lock_timeout`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index event_partner_idx`);
  }
}
