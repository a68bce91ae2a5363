import { sqlMigration } from '@fibre/database';
import { SHARDS } from '../distribution/distribution.js';

/** Distributes the tables if the database is a Citus cluster; otherwise does nothing. */
export const Distribution1763683200001 = sqlMigration('Distribution1763683200001', {
  up: [
    `do $$ begin
      if exists (select from pg_extension where extname = 'citus') then
        perform create_distributed_table('timeline', 'shard_key', shard_count => ${SHARDS}, colocate_with => 'none');
        perform create_distributed_table('event', 'shard_key', colocate_with => 'timeline');
        perform create_distributed_table('namespace', 'shard_key', colocate_with => 'timeline');
      end if;
    end $$`,
  ],
  down: [
    `do $$ begin
      if exists (select from pg_extension where extname = 'citus') then
        perform undistribute_table('timeline', cascade_via_foreign_keys => true);
        perform undistribute_table('namespace');
      end if;
    end $$`,
  ],
});
