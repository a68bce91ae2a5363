import { WRITE_TIME } from '@fibre/settled-time';
import { repeatableMigration } from '@fibre/database';
import { EVENT_FUNCTIONS } from '../event-functions/event-functions.sql.js';

/** Shards per table: several per worker core, so that workers can be added without splitting shards. */
const SHARDS = 32;

/**
 * Distributes tables, with their rows, and functions that are not distributed yet, if the database is a Citus cluster; otherwise does
 * nothing.
 */
export const Distribution = repeatableMigration('Distribution', [
  // Citus cannot distribute a function in a transaction that has used shards in parallel. Without Citus, PostgreSQL ignores this setting.
  `set local citus.multi_shard_modify_mode to 'sequential'`,
  `do $$ begin
      if to_regclass('pg_catalog.pg_dist_partition') is null then
        return;
      end if;
      if not exists (select 1 from pg_dist_partition where logicalrelid = 'event'::regclass) then
        -- A local table cannot have a foreign key to a distributed one.
        alter table event drop constraint event_timeline_fkey;
        perform create_distributed_table('timeline', 'shard_key', shard_count => ${SHARDS}, colocate_with => 'none');
        perform create_distributed_table('event', 'shard_key', colocate_with => 'timeline');
        perform create_distributed_table('namespace', 'shard_key', colocate_with => 'timeline');
        perform create_distributed_table('line_change', 'shard_key', colocate_with => 'timeline');
        alter table event add constraint event_timeline_fkey foreign key (tenant, namespace_id, entity_id, shard_key)
          references timeline (tenant, namespace_id, entity_id, shard_key);
      end if;
      if not exists (select 1 from pg_dist_object where objid = '${WRITE_TIME}'::regprocedure) then
        perform create_distributed_function('${WRITE_TIME}');
      end if;
      -- The worker with the shard runs these.
      ${EVENT_FUNCTIONS.map(
        (signature) => `if not exists (
        select 1 from pg_dist_object where objid = '${signature}'::regprocedure and distribution_argument_index is not null
      ) then
        perform create_distributed_function('${signature}', 'shard_key', colocate_with => 'event');
      end if;`,
      ).join('\n      ')}
    end $$`,
]);
