import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The function by name and types, as Citus wants it. */
export const APPEND_EVENT =
  'append_event(smallint, text, uuid, uuid, integer, boolean, uuid, text, timestamptz, text, date, json, uuid, text, json, text, timestamptz)';

/**
 * The head of a timeline says which lifecycle event is the last one by `event_at`, so that one after it is decided by one row. It is
 * right while `lifecycle_version` is the version, so heads of older releases need no backfill: a write makes them right. The function of
 * the older release stays beside the new one, for as long as its code runs.
 */
export class TimelineHead1764201600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Citus distributes no function in a transaction that has worked on shards in parallel. A server without it keeps the name and does not care.
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      alter table timeline
        add column lifecycle_version integer,
        add column lifecycle_id uuid,
        add column lifecycle_type text,
        add column lifecycle_at timestamptz(6)`);
    // Whoever bumps the version first wins; the loser's bump finds another version, and then nothing is inserted.
    await runner.query(`
      create function append_event(
        shard_key smallint, tenant text, namespace_id uuid, entity_id uuid, version_read integer, is_last boolean,
        event_id uuid, event_type text, event_at timestamptz, event_timezone text, event_date date, sys_attributes json, sys_hash uuid,
        usr_reference text, usr_attributes json, comment text, created_at timestamptz
      ) returns event language plpgsql as $$
      #variable_conflict use_column
      declare
        new_version integer;
        added event;
      begin
        insert into timeline as t (
          shard_key, tenant, namespace_id, entity_id, version, deactivated_at,
          lifecycle_version, lifecycle_id, lifecycle_type, lifecycle_at
        )
        values (
          append_event.shard_key, append_event.tenant, append_event.namespace_id, append_event.entity_id, 1,
          case append_event.event_type when 'deactivation' then append_event.event_at end,
          1,
          case when append_event.is_last then append_event.event_id end,
          case when append_event.is_last then append_event.event_type end,
          case when append_event.is_last then append_event.event_at end
        )
        on conflict (tenant, namespace_id, entity_id, shard_key)
        do update set
          version = t.version + 1,
          deactivated_at = greatest(t.deactivated_at, excluded.deactivated_at),
          lifecycle_version = case when excluded.lifecycle_id is not null or t.lifecycle_version = t.version then t.version + 1 end,
          lifecycle_id = coalesce(excluded.lifecycle_id, t.lifecycle_id),
          lifecycle_type = coalesce(excluded.lifecycle_type, t.lifecycle_type),
          lifecycle_at = coalesce(excluded.lifecycle_at, t.lifecycle_at)
        where t.version = append_event.version_read
        returning t.version into new_version;
        if new_version is not null then
          insert into event as e (
            shard_key, tenant, namespace_id, entity_id, sequence, event_id, event_type, event_at, event_timezone, event_date,
            sys_attributes, sys_hash, usr_reference, usr_attributes, comment, created_at, modified_at
          )
          values (
            append_event.shard_key, append_event.tenant, append_event.namespace_id, append_event.entity_id, new_version,
            append_event.event_id, append_event.event_type, append_event.event_at, append_event.event_timezone, append_event.event_date,
            append_event.sys_attributes, append_event.sys_hash, append_event.usr_reference, append_event.usr_attributes,
            append_event.comment, append_event.created_at, append_event.created_at
          )
          returning e.* into added;
        end if;
        return added;
      end $$`);
    await runner.query(`
      do $$ begin
        if to_regclass('pg_catalog.pg_dist_partition') is null then
          return;
        end if;
        if exists (select 1 from pg_dist_partition where logicalrelid = 'event'::regclass) then
          perform create_distributed_function('${APPEND_EVENT}', 'shard_key', colocate_with => 'event');
        end if;
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop function ${APPEND_EVENT}`);
    await runner.query(`
      alter table timeline
        drop column lifecycle_version, drop column lifecycle_id, drop column lifecycle_type, drop column lifecycle_at`);
  }
}
