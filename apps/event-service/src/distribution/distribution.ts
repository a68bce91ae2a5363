import { WRITE_TIME } from '@fibre/changes';
import { changeSchema } from '@fibre/database';
import { EVENT_FUNCTIONS } from '../events/event-functions.sql.js';

/** Shards per table: several per worker core, so that workers can be added without splitting shards. */
export const SHARDS = 32;

/** Runs SQL and returns the rows. */
type Query = (text: string) => Promise<unknown>;

/** Where the tables are: `local` without Citus, otherwise `distributed` or `undistributed`; the service rejects the latter. */
export async function whereTablesAre(query: Query): Promise<'local' | 'distributed' | 'undistributed'> {
  const ask = async (condition: string): Promise<boolean> =>
    ((await query(`select ${condition} as found`)) as [{ found: boolean }])[0].found;
  if (!(await ask(`to_regclass('pg_catalog.pg_dist_partition') is not null`))) return 'local';
  return (await ask(`exists (select 1 from pg_dist_partition where logicalrelid = to_regclass('event'))`))
    ? 'distributed'
    : 'undistributed';
}

/**
 * Distributes the tables with their rows, in one transaction. Meanwhile, requests wait or get 503.
 *
 * @returns whether there was anything to do
 */
export const distribute = (dataSource: Parameters<typeof changeSchema>[0]): Promise<boolean> =>
  changeSchema(dataSource, async (runner) => {
    if ((await whereTablesAre((text) => runner.query(text))) !== 'undistributed') return false;
    await runner.startTransaction();
    // Citus cannot distribute a function in a transaction that has used shards in parallel.
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    // A local table cannot have a foreign key to a distributed one.
    const [{ key }] = (await runner.query(
      `select pg_get_constraintdef(oid) as key from pg_constraint where conname = 'event_timeline_fkey'`,
    )) as [{ key: string }];
    await runner.query('alter table event drop constraint event_timeline_fkey');
    await runner.query(`select create_distributed_table('timeline', 'shard_key', shard_count => ${SHARDS}, colocate_with => 'none')`);
    await runner.query(`select create_distributed_table('event', 'shard_key', colocate_with => 'timeline')`);
    await runner.query(`select create_distributed_table('namespace', 'shard_key', colocate_with => 'timeline')`);
    await runner.query(`alter table event add constraint event_timeline_fkey ${key}`);
    await runner.query(`select create_distributed_function('${WRITE_TIME}')`);
    for (const signature of EVENT_FUNCTIONS)
      await runner.query(`select create_distributed_function('${signature}', 'shard_key', colocate_with => 'event')`);
    await runner.commitTransaction();
    // Citus has copied the rows to the shards; it hides the originals but does not delete them.
    for (const table of ['timeline', 'namespace']) await runner.query(`select truncate_local_data_after_distributing_table('${table}')`);
    return true;
  });
