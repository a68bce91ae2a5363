import { buildIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the filter `option82`, in the order of the listing. */
export class TimelineOption821765065600000 implements MigrationInterface {
  /** An index that is built without blocking writes cannot be built in a transaction. */
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return buildIndexes(runner, {
      timeline_option82_idx: 'timeline (tenant, namespace_id, option82, entity_id) where option82 is not null',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index timeline_option82_idx`);
  }
}
