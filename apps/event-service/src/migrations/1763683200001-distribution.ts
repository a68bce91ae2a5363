import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Shards per table: several per worker core, so that workers can be added without splitting shards. */
const SHARDS = 32;

/** Distributes the tables if the database is a Citus cluster; otherwise does nothing. */
export class Distribution1763683200001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$ begin
        if exists (select from pg_extension where extname = 'citus') then
          perform create_distributed_table('timeline', 'shard_key', shard_count => ${SHARDS}, colocate_with => 'none');
          perform create_distributed_table('event', 'shard_key', colocate_with => 'timeline');
          perform create_distributed_table('namespace', 'shard_key', colocate_with => 'timeline');
        end if;
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$ begin
        if exists (select from pg_extension where extname = 'citus') then
          perform undistribute_table('timeline', cascade_via_foreign_keys => true);
          perform undistribute_table('namespace');
        end if;
      end $$`);
  }
}
