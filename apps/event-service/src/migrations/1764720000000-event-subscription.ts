import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The lifecycle events of which each subscription has few: what was in force when a window of billing began is found by one step back, and
 * not by a walk through all updates before it.
 */
export class EventSubscription1764720000000 implements MigrationInterface {
  /** An index that is built while others write cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndexes(runner, {
      event_subscription_idx: `event (tenant, namespace_id, entity_id, event_at)
        where event_type <> 'notification' and (
          event_type = 'activation' or (sys_attributes ->> 'option82') is not null or (sys_attributes ->> 'partner_reference') is not null
        )`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index event_subscription_idx`);
  }
}
