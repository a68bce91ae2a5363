import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AppendEvent1764115200000 } from './1764115200000-append-event.js';
import { TimelineHead1764201600000 } from './1764201600000-timeline-head.js';

const OF_LINE = `e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id`;
const LIFECYCLE = `${OF_LINE} and e.event_type <> 'notification'`;

/** Looks for the last event of the running subscription that gives a member. */
const lastGiven = (member: string): string => `
          select e.sys_attributes ->> '${member}' into line.${member} from event e
          where ${LIFECYCLE} and e.event_at >= line.state_since and e.sys_attributes ->> '${member}' is not null
          order by e.event_at desc limit 1;`;

const CODES = (event: string): string => `array(select json_array_elements_text(${event}.sys_attributes -> 'article_codes'))`;

/** Makes the state of `line` what the events say, which takes the events of the running subscription at most. */
export const STATE_FROM_EVENTS = `
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
          line.article_codes := ${CODES('latest')};
          select e.event_at, e.sys_attributes ->> 'partner_id' into line.state_since, line.partner_id from event e
          where ${LIFECYCLE} and e.event_type = 'activation' order by e.event_at desc limit 1;${lastGiven('option82')}${lastGiven('partner_reference')}
        end if;`;

/** Makes the rows of `running_article` those of `line`, where they have been those of `codes_before`. */
export const ARTICLES_OF_LINE = `
        if line.article_codes is distinct from codes_before then
          if codes_before is not null then
            delete from running_article a
            where a.shard_key = line.shard_key and a.tenant = line.tenant and a.namespace_id = line.namespace_id
              and a.entity_id = line.entity_id and a.article_code = any(codes_before)
              and (line.article_codes is null or a.article_code <> all(line.article_codes));
          end if;
          if line.article_codes is not null then
            foreach code in array line.article_codes loop
              continue when code = any(codes_before);
              insert into running_article (shard_key, tenant, namespace_id, entity_id, article_code)
              values (line.shard_key, line.tenant, line.namespace_id, line.entity_id, code)
              on conflict (tenant, namespace_id, article_code, entity_id, shard_key) do nothing;
            end loop;
          end if;
        end if;`;

/** `append_event`, of either release: the older one does not say whether the event is the last lifecycle event. */
const appendEvent = (parameter: string, isLast: string): string => `
      create or replace function append_event(
        shard_key smallint, tenant text, namespace_id uuid, entity_id uuid, version_read integer,${parameter}
        event_id uuid, event_type text, event_at timestamptz, event_timezone text, event_date date, sys_attributes json, sys_hash uuid,
        usr_reference text, usr_attributes json, comment text, created_at timestamptz
      ) returns event language plpgsql as $$
      #variable_conflict use_column
      declare
        lasts boolean := ${isLast};
        line timeline;
        state_read text;
        codes_before text[];
        look_back boolean := false;
        latest event;
        added event;
        code text;
      begin
        if append_event.version_read > 0 then
          select t.* into line from timeline t
          where t.shard_key = append_event.shard_key and t.tenant = append_event.tenant and t.namespace_id = append_event.namespace_id
            and t.entity_id = append_event.entity_id and t.version = append_event.version_read;
          if not found then
            return added;
          end if;
        end if;
        state_read := line.state;
        codes_before := line.article_codes;

        line.lifecycle_version := case
          when lasts or append_event.version_read = 0 or line.lifecycle_version = append_event.version_read then append_event.version_read + 1
        end;
        line.version := append_event.version_read + 1;
        if append_event.event_type = 'deactivation' then
          line.deactivated_at := greatest(line.deactivated_at, append_event.event_at);
        end if;
        if lasts then
          line.lifecycle_id := append_event.event_id;
          line.lifecycle_type := append_event.event_type;
          line.lifecycle_at := append_event.event_at;
        end if;

        if append_event.event_type = 'notification' then
          if append_event.version_read = 0 or line.state = 'announced' then
            line.state := 'announced';
            line.state_since := least(line.state_since, append_event.event_at);
          end if;
        elsif lasts and append_event.event_type = 'activation' then
          line.state := 'active';
          line.state_since := append_event.event_at;
          line.partner_id := append_event.sys_attributes ->> 'partner_id';
          line.article_codes := ${CODES('append_event')};
          line.option82 := append_event.sys_attributes ->> 'option82';
          line.partner_reference := append_event.sys_attributes ->> 'partner_reference';
        elsif lasts and append_event.event_type = 'deactivation' then
          line.state := 'inactive';
          line.state_since := append_event.event_at;
          line.partner_id := null; line.article_codes := null; line.option82 := null; line.partner_reference := null;
        elsif lasts then
          line.article_codes := ${CODES('append_event')};
          line.option82 := coalesce(append_event.sys_attributes ->> 'option82', line.option82);
          line.partner_reference := coalesce(append_event.sys_attributes ->> 'partner_reference', line.partner_reference);
        else
          -- Before the last one, and in the running subscription: nobody else knows whether a later event gives what it gives.
          look_back := append_event.event_at > line.state_since;
        end if;
        look_back := look_back or line.state is null;

        if append_event.version_read = 0 then
          insert into timeline as t (
            shard_key, tenant, namespace_id, entity_id, version, deactivated_at, lifecycle_version, lifecycle_id, lifecycle_type, lifecycle_at,
            state, state_since, partner_id, article_codes, option82, partner_reference
          )
          values (
            append_event.shard_key, append_event.tenant, append_event.namespace_id, append_event.entity_id, 1, line.deactivated_at,
            line.lifecycle_version, line.lifecycle_id, line.lifecycle_type, line.lifecycle_at,
            line.state, line.state_since, line.partner_id, line.article_codes, line.option82, line.partner_reference
          )
          on conflict (tenant, namespace_id, entity_id, shard_key) do nothing;
        else
          -- Whoever bumps the version first wins; the loser finds another version, and adds nothing. A backfill that came between changes the
          -- state alone, and what was read here of it is old.
          update timeline t set
            version = line.version, deactivated_at = line.deactivated_at, lifecycle_version = line.lifecycle_version,
            lifecycle_id = line.lifecycle_id, lifecycle_type = line.lifecycle_type, lifecycle_at = line.lifecycle_at,
            state = line.state, state_since = line.state_since, partner_id = line.partner_id, article_codes = line.article_codes,
            option82 = line.option82, partner_reference = line.partner_reference
          where t.shard_key = append_event.shard_key and t.tenant = append_event.tenant and t.namespace_id = append_event.namespace_id
            and t.entity_id = append_event.entity_id and t.version = append_event.version_read and t.state is not distinct from state_read;
        end if;
        if not found then
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

        line.shard_key := append_event.shard_key;
        line.tenant := append_event.tenant;
        line.namespace_id := append_event.namespace_id;
        line.entity_id := append_event.entity_id;
        if look_back then${STATE_FROM_EVENTS}
          update timeline t set
            state = line.state, state_since = line.state_since, partner_id = line.partner_id, article_codes = line.article_codes,
            option82 = line.option82, partner_reference = line.partner_reference
          where t.shard_key = append_event.shard_key and t.tenant = append_event.tenant and t.namespace_id = append_event.namespace_id
            and t.entity_id = append_event.entity_id;
        end if;${ARTICLES_OF_LINE}
        return added;
      end $$`;

/** What the older release does not say: the caller's read is of the version that the write asks for, so this is as true as what it read. */
const IS_LAST = `append_event.event_type <> 'notification' and not exists (
          select 1 from event e
          where e.shard_key = append_event.shard_key and e.tenant = append_event.tenant and e.namespace_id = append_event.namespace_id
            and e.entity_id = append_event.entity_id and e.event_type <> 'notification' and e.event_at > append_event.event_at
        )`;

/**
 * A timeline says what its entity is: state, and what the running subscription has. Whoever adds an event keeps that right, releases
 * before this one too, for their functions are replaced under their names. Rows that say nothing yet are filled in by the next migration, or
 * by the next event.
 *
 * `running_article` has a row for each article code of each running subscription, so that these are found by one in order of the entity.
 */
export class TimelineState1764291600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Citus distributes nothing in a transaction that has worked on shards in parallel. A server without it keeps the name and does not care.
    await runner.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await runner.query(`
      alter table timeline
        add column state text,
        add column state_since timestamptz(6),
        add column partner_id uuid,
        add column article_codes text[],
        add column option82 text,
        add column partner_reference text`);
    await runner.query(`
      create table running_article (
        tenant       text     not null,
        namespace_id uuid     not null,
        article_code text     not null,
        entity_id    uuid     not null,
        shard_key    smallint not null,
        constraint running_article_pkey primary key (tenant, namespace_id, article_code, entity_id, shard_key)
      )`);
    await runner.query(`
      do $$ begin
        if to_regclass('pg_catalog.pg_dist_partition') is null then
          return;
        end if;
        if exists (select 1 from pg_dist_partition where logicalrelid = 'event'::regclass) then
          perform create_distributed_table('running_article', 'shard_key', colocate_with => 'timeline');
        end if;
      end $$`);
    await runner.query(appendEvent(' is_last boolean,', 'append_event.is_last'));
    await runner.query(appendEvent('', IS_LAST));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const migration of [new AppendEvent1764115200000(), new TimelineHead1764201600000()])
      for (const text of await functionsOf(migration)) await runner.query(text.replace('create function', 'create or replace function'));
    await runner.query(`drop table running_article`);
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
