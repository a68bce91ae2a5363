import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes the few lifecycle events that begin a subscription or set a value that stays, so that one step back finds what applied at the start
 * of a billing window, without reading all updates before it.
 */
export class EventSubscription1764720000000 implements MigrationInterface {
  /** An index that is built without blocking writes cannot be built in a transaction. */
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
