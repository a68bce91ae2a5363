import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of the events that may name a partner, by which the deletion of an ISP finds whether one does. Its condition is the type and not
 * the partner, so that the attributes of updates are not looked into, and those of activations once.
 */
export class EventPartner1764374400001 implements MigrationInterface {
  /** An index that is built while others write cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // It waits for every transaction that is open, and holds nobody up meanwhile.
    await runner.query(`set lock_timeout = 0`);
    // Left behind, invalid, by an attempt that was interrupted.
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
