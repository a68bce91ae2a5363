import { changeIndexes, restoreIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHANGE = {
  build: {
    timeline_state_idx: 'timeline (tenant, namespace_id, state, entity_id)',
    timeline_partner_idx: 'timeline (tenant, namespace_id, partner_id, entity_id) where partner_id is not null',
  },
};

/**
 * Builds the indexes for the entity filters. In earlier releases, this migration also filled in states, so a database whose timelines
 * have no state must first be migrated with one of those releases.
 */
export class TimelineStateBackfill1764291600001 implements MigrationInterface {
  /** An index that is built without blocking writes cannot be built in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const [{ old }] = (await runner.query(`select exists (select 1 from timeline t where t.state is null) as old`)) as [{ old: boolean }];
    if (old)
      throw new Error(
        'the timelines come from a release that is too old: first migrate with the release that fills in their states (commit d01ba0c)',
      );
    await changeIndexes(runner, CHANGE);
  }

  down(runner: QueryRunner): Promise<void> {
    return restoreIndexes(runner, CHANGE);
  }
}
