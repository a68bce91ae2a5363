import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the filter `address_id`, in the order of the listing. */
export class AddressFilter1765152000000 implements MigrationInterface {
  /** Indexes cannot be built concurrently in a transaction. */
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return buildIndexes(runner, {
      access_node_address_idx: 'access_node (tenant, collection, address_id, node_id) where address_id is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index access_node_address_idx`);
  }
}
