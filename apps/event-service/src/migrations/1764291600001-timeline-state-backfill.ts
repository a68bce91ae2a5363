import type { MigrationInterface, QueryRunner } from 'typeorm';
import { WRITE_STATE } from './1764291600000-timeline-state.js';

/** Timelines that one statement fills in at most, so that it is short and holds up few who write. */
const BATCH = 200;
const FILL = 'fill_timeline_states(smallint, integer)';

/** What the filters of the list, and the time of the last overwriting, are found by. */
const INDEXES: Readonly<Record<string, string>> = {
  timeline_state_idx: 'timeline (tenant, namespace_id, state, entity_id)',
  timeline_partner_idx: 'timeline (tenant, namespace_id, partner_id, entity_id) where partner_id is not null',
  event_overwritten_idx: 'event (tenant, namespace_id, entity_id, modified_at) where overwritten',
};
/** Rows that are left to fill in, by shard. */
const LEFT_INDEX = 'timeline_without_state_idx';

/**
 * Fills in the state of the timelines that were there before their rows had one, batch by batch while others write, and
 * builds the indexes of the filters. Interrupted, it goes on where it was.
 */
export class TimelineStateBackfill1764291600001 implements MigrationInterface {
  /** An index that is built while others write cannot be built in a transaction, and a batch is to be kept once it is done. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What is built concurrently waits for every transaction that is open, so the first one for the last that runs the former function.
    await runner.query(`set lock_timeout = 0`);
    await buildIndex(runner, LEFT_INDEX, 'timeline (shard_key) where state is null');
    await createFill(runner);
    const shards = (await runner.query(`select distinct t.shard_key from timeline t where t.state is null order by 1`)) as Shard[];
    for (const { shard_key } of shards) while ((await fill(runner, shard_key)) === BATCH);
    const [{ left }] = (await runner.query(`select exists (select 1 from timeline t where t.state is null) as left`)) as [
      { left: boolean },
    ];
    if (left) throw new Error('timelines are left without a state');
    await runner.query(`drop function ${FILL}`);
    await runner.query(`drop index concurrently ${LEFT_INDEX}`);
    for (const [name, definition] of Object.entries(INDEXES)) await buildIndex(runner, name, definition);
    await runner.query(`reset lock_timeout`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`drop index ${name}`);
  }
}

interface Shard {
  readonly shard_key: number;
}

async function buildIndex(runner: QueryRunner, name: string, definition: string): Promise<void> {
  // Left behind, invalid, by an attempt that was interrupted.
  await runner.query(`drop index concurrently if exists ${name}`);
  await runner.query(`create index concurrently ${name} on ${definition}`);
}

/** @returns how many timelines it has filled in */
async function fill(runner: QueryRunner, shardKey: number): Promise<number> {
  const [{ filled }] = (await runner.query(`select fill_timeline_states($1::smallint, $2::integer) as filled`, [shardKey, BATCH])) as [
    { filled: number },
  ];
  return filled;
}

/** On a cluster it works where the shard is. */
async function createFill(runner: QueryRunner): Promise<void> {
  await runner.query(`
      create or replace function fill_timeline_states(shard_key smallint, most integer) returns integer language plpgsql as $$
      #variable_conflict use_column
      declare
        line timeline;
        latest event;
        filled integer := 0;
      begin
        for line in
          select t.* from timeline t where t.shard_key = fill_timeline_states.shard_key and t.state is null
          limit fill_timeline_states.most for update
        loop${WRITE_STATE}
          filled := filled + 1;
        end loop;
        return filled;
      end $$`);
  await runner.query(`
      do $$ begin
        if to_regclass('pg_catalog.pg_dist_partition') is null then
          return;
        end if;
        if exists (select 1 from pg_dist_partition where logicalrelid = 'event'::regclass) then
          perform create_distributed_function('${FILL}', 'shard_key', colocate_with => 'event');
        end if;
      end $$`);
}
