import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The function by name and types, as Citus wants it. */
export const APPEND_EVENT =
  'append_event(smallint, text, uuid, uuid, integer, uuid, text, timestamptz, text, date, json, uuid, text, json, text, timestamptz)';

/**
 * Both statements that add an event, as one call: on Citus the call goes to the worker that has the shard, where one statement with
 * both in it would be taken apart by the coordinator and committed in two phases (docs/adr/0008). It gives the row and not its JSON,
 * so that how an event is shown stays in one place.
 */
export class AppendEvent1764115200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Whoever bumps the version first wins; the loser's bump finds another version, and then nothing is inserted.
    await runner.query(`
      create function append_event(
        shard_key smallint, tenant text, namespace_id uuid, entity_id uuid, version_read integer,
        event_id uuid, event_type text, event_at timestamptz, event_timezone text, event_date date, sys_attributes json, sys_hash uuid,
        usr_reference text, usr_attributes json, comment text, created_at timestamptz
      ) returns event language plpgsql as $$
      #variable_conflict use_column
      declare
        new_version integer;
        added event;
      begin
        insert into timeline as t (shard_key, tenant, namespace_id, entity_id, version, deactivated_at)
        values (
          append_event.shard_key, append_event.tenant, append_event.namespace_id, append_event.entity_id, 1,
          case append_event.event_type when 'deactivation' then append_event.event_at end
        )
        on conflict (tenant, namespace_id, entity_id, shard_key)
        do update set version = t.version + 1, deactivated_at = greatest(t.deactivated_at, excluded.deactivated_at)
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
  }
}
