import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AppendEvent1764115200000 } from './1764115200000-append-event.js';
import { TimelineHead1764201600000 } from './1764201600000-timeline-head.js';

const OF_LINE = `e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id`;
const LIFECYCLE = `${OF_LINE} and e.event_type <> 'notification'`;
const codesOf = (event: string): string => `array(select json_array_elements_text(${event}.sys_attributes -> 'article_codes'))`;

/** Looks for the last event of the running subscription that gives a member. */
const lastGiven = (member: string): string => `
          select e.sys_attributes ->> '${member}' into line.${member} from event e
          where ${LIFECYCLE} and e.event_at >= line.state_since and e.sys_attributes ->> '${member}' is not null
          order by e.event_at desc limit 1;`;

/** In plpgsql: writes what the events of the timeline `line` say of its state. It reads the events of the running subscription at most. */
export const WRITE_STATE = `
        line.partner_id := null; line.article_codes := null; line.option82 := null; line.partner_reference := null;
        select e.* into latest from event e where ${LIFECYCLE} order by e.event_at desc limit 1;
        if not found then
          line.state := 'announced';
          select e.event_at into line.state_since from event e
          where ${OF_LINE} and e.event_type = 'notification' order by e.event_at limit 1;
        elsif latest.event_type = 'deactivation' then
          line.state := 'inactive';
          line.state_since := latest.event_at;
        else
          line.state := 'active';
          line.article_codes := ${codesOf('latest')};
          select e.event_at, e.sys_attributes ->> 'partner_id' into line.state_since, line.partner_id from event e
          where ${LIFECYCLE} and e.event_type = 'activation' order by e.event_at desc limit 1;${lastGiven('option82')}${lastGiven('partner_reference')}
        end if;
        update timeline t set
          state = line.state, state_since = line.state_since, partner_id = line.partner_id, article_codes = line.article_codes,
          option82 = line.option82, partner_reference = line.partner_reference
        where t.shard_key = line.shard_key and t.tenant = line.tenant and t.namespace_id = line.namespace_id and t.entity_id = line.entity_id;`;

/** The function, of either release: the older one does not say whether the event is the last lifecycle event. */
const appendEvent = (parameter: string, isLast: string): string => `
      create or replace function append_event(
        shard_key smallint, tenant text, namespace_id uuid, entity_id uuid, version_read integer,${parameter}
        event_id uuid, event_type text, event_at timestamptz, event_timezone text, event_date date, sys_attributes json, sys_hash uuid,
        usr_reference text, usr_attributes json, comment text, created_at timestamptz
      ) returns event language plpgsql as $$
      #variable_conflict use_column
      declare
        lasts boolean := ${isLast};
        begins boolean := lasts and append_event.event_type <> 'update';
        -- Here, and not in the statement below: where Citus knows a part of such a case, it makes one of it that the worker does not understand.
        state_begun text := case append_event.event_type when 'notification' then 'announced' when 'deactivation' then 'inactive' else 'active' end;
        codes text[];
        line timeline;
        latest event;
        added event;
      begin
        if lasts and append_event.event_type <> 'deactivation' then
          codes := ${codesOf('append_event')};
        end if;
        -- Whoever bumps the version first wins; the loser's bump finds another version, and then nothing is inserted.
        insert into timeline as t (
          shard_key, tenant, namespace_id, entity_id, version, deactivated_at,
          lifecycle_version, lifecycle_id, lifecycle_type, lifecycle_at,
          state, state_since, partner_id, article_codes, option82, partner_reference
        )
        values (
          append_event.shard_key, append_event.tenant, append_event.namespace_id, append_event.entity_id, 1,
          case append_event.event_type when 'deactivation' then append_event.event_at end,
          1,
          case when lasts then append_event.event_id end,
          case when lasts then append_event.event_type end,
          case when lasts then append_event.event_at end,
          state_begun,
          append_event.event_at,
          case when lasts then (append_event.sys_attributes ->> 'partner_id')::uuid end,
          codes,
          case when lasts then append_event.sys_attributes ->> 'option82' end,
          case when lasts then append_event.sys_attributes ->> 'partner_reference' end
        )
        on conflict (tenant, namespace_id, entity_id, shard_key)
        do update set
          version = t.version + 1,
          deactivated_at = greatest(t.deactivated_at, excluded.deactivated_at),
          lifecycle_version = case when excluded.lifecycle_id is not null or t.lifecycle_version = t.version then t.version + 1 end,
          lifecycle_id = coalesce(excluded.lifecycle_id, t.lifecycle_id),
          lifecycle_type = coalesce(excluded.lifecycle_type, t.lifecycle_type),
          lifecycle_at = coalesce(excluded.lifecycle_at, t.lifecycle_at),
          state = case when begins then excluded.state else t.state end,
          state_since = case
            when begins then excluded.state_since
            when t.state = 'announced' then least(t.state_since, excluded.state_since)
            else t.state_since
          end,
          partner_id = case when begins then excluded.partner_id else t.partner_id end,
          article_codes = case when lasts then excluded.article_codes else t.article_codes end,
          option82 = case when begins then excluded.option82 else coalesce(excluded.option82, t.option82) end,
          partner_reference = case
            when begins then excluded.partner_reference
            else coalesce(excluded.partner_reference, t.partner_reference)
          end
        where t.version = append_event.version_read
        returning t.version, t.state, t.state_since into line.version, line.state, line.state_since;
        if line.version is null then
          return added;
        end if;
        insert into event as e (
          shard_key, tenant, namespace_id, entity_id, sequence, event_id, event_type, event_at, event_timezone, event_date,
          sys_attributes, sys_hash, usr_reference, usr_attributes, comment, created_at, modified_at
        )
        values (
          append_event.shard_key, append_event.tenant, append_event.namespace_id, append_event.entity_id, line.version,
          append_event.event_id, append_event.event_type, append_event.event_at, append_event.event_timezone, append_event.event_date,
          append_event.sys_attributes, append_event.sys_hash, append_event.usr_reference, append_event.usr_attributes,
          append_event.comment, append_event.created_at, append_event.created_at
        )
        returning e.* into added;
        -- The row says nothing yet, or the event lies within the running subscription and gives what a later one may give too. Article codes
        -- are those of the last one, which this is not.
        if line.state is null
          or (
            append_event.event_type <> 'notification' and not lasts and append_event.event_at > line.state_since
            and coalesce(append_event.sys_attributes ->> 'option82', append_event.sys_attributes ->> 'partner_reference') is not null
          )
        then
          line.shard_key := append_event.shard_key;
          line.tenant := append_event.tenant;
          line.namespace_id := append_event.namespace_id;
          line.entity_id := append_event.entity_id;${WRITE_STATE}
        end if;
        return added;
      end $$`;

/** The caller's read is of the version that the write asks for, so this is as true as what it has read. */
const IS_LAST = `append_event.event_type <> 'notification' and not exists (
          select 1 from event e
          where e.shard_key = append_event.shard_key and e.tenant = append_event.tenant and e.namespace_id = append_event.namespace_id
            and e.entity_id = append_event.entity_id and e.event_type <> 'notification' and e.event_at > append_event.event_at
        )`;

/**
 * A timeline says what its entity is: its state, and what the running subscription has. Who adds an event keeps that right, and
 * code of older releases too, since both functions are replaced under their names. Rows that say nothing yet are filled in by the next
 * migration, or by the next event.
 */
export class TimelineState1764291600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Citus changes no function in a transaction that has worked on shards in parallel. A server without it keeps the name and does not care.
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      alter table timeline
        add column state text,
        add column state_since timestamptz(6),
        add column partner_id uuid,
        add column article_codes text[],
        add column option82 text,
        add column partner_reference text`);
    await runner.query(appendEvent(' is_last boolean,', 'append_event.is_last'));
    await runner.query(appendEvent('', IS_LAST));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    for (const migration of [new AppendEvent1764115200000(), new TimelineHead1764201600000()])
      for (const text of await functionsOf(migration)) await runner.query(text.replace('create function', 'create or replace function'));
    await runner.query(`
      alter table timeline
        drop column state, drop column state_since, drop column partner_id, drop column article_codes, drop column option82,
        drop column partner_reference`);
  }
}

/** What an earlier migration creates as functions. */
async function functionsOf(migration: MigrationInterface): Promise<string[]> {
  const texts: string[] = [];
  const query = (text: string): Promise<void> => Promise.resolve(void texts.push(text));
  await migration.up({ query } as unknown as QueryRunner);
  return texts.filter((text) => text.includes('create function'));
}
