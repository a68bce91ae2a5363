import { changeIndexes } from '@fibre/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maximum number of timelines per transaction, so that each transaction is short and few writers wait. */
const BATCH = 200;
const LEFT = { timeline_without_recorded_idx: 'timeline (shard_key) where created_at is null' };

/**
 * Fills in `created_at`, `modified_at` and `last_event_id` of older timelines, batch by batch without blocking other writes. After an
 * interruption, it continues where it left off.
 *
 * Its name makes it run after `append_event`, which then writes these columns for any release, so a row stays correct once it is filled in.
 */
export class TimelineRecordedBackfill9999999999999 implements MigrationInterface {
  /** Each finished batch is kept, and indexes are built without blocking writes. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // This waits for every open transaction, including the last one that runs the previous version of append_event.
    await changeIndexes(runner, { build: LEFT });
    const shards = (await runner.query(`select distinct t.shard_key from timeline t where t.created_at is null order by 1`)) as Shard[];
    for (const { shard_key } of shards) while ((await fill(runner, shard_key)) === BATCH);
    // The second index found when an event was last overwritten; the timeline now stores that.
    await changeIndexes(runner, { build: {}, drop: { ...LEFT, event_overwritten_idx: '' } });
  }

  async down(): Promise<void> {}
}

interface Shard {
  readonly shard_key: number;
}

const OF_TIMELINE = `e.shard_key = $1 and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id`;

/** @returns how many timelines were filled in */
async function fill(runner: QueryRunner, shardKey: number): Promise<number> {
  await runner.startTransaction();
  try {
    const locked = (await runner.query(
      `select t.tenant, t.namespace_id, t.entity_id from timeline t where t.shard_key = $1 and t.created_at is null limit ${BATCH} for update`,
      [shardKey],
    )) as Record<'tenant' | 'namespace_id' | 'entity_id', string>[];
    // A separate statement, which sees the events that were recorded before the rows were locked. A timeline whose namespace is being
    // deleted may already have lost its events.
    await runner.query(
      `update timeline t
       set created_at = coalesce((select e.created_at from event e where ${OF_TIMELINE} and e.sequence = 1), $5::timestamptz),
         modified_at = (select max(e.modified_at) from event e where ${OF_TIMELINE}),
         last_event_id = (select e.event_id from event e where ${OF_TIMELINE} and e.sequence = t.version)
       where t.shard_key = $1
         and (t.tenant, t.namespace_id, t.entity_id) in (select * from unnest($2::text[], $3::uuid[], $4::uuid[]))`,
      [
        shardKey,
        locked.map(({ tenant }) => tenant),
        locked.map(({ namespace_id }) => namespace_id),
        locked.map(({ entity_id }) => entity_id),
        new Date(),
      ],
    );
    await runner.commitTransaction();
    return locked.length;
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
