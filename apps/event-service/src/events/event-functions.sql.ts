import { repeatableMigration } from '@fibre/database';
import { NIL as PRODUCTION } from 'uuid';
import { lineId, sameTimeline } from '../timeline/timeline.sql.js';
import { USER_ATTRIBUTE_NAMES, USER_ATTRIBUTES } from './event.js';

/** Names and parameter types of the functions, as Citus needs them. */
export const EVENT_FUNCTIONS = [
  'append_event(smallint, text, integer, boolean, json)',
  'overwrite_event(smallint, text, uuid, uuid, json)',
  'erase_entity(smallint, text, uuid, uuid, boolean, timestamptz, text)',
] as const;

/** Columns of `timeline` that a new event never changes; the first four are its key. */
const KEPT = ['shard_key', 'tenant', 'namespace_id', 'entity_id', 'created_at'];
const CHANGED = [
  'version',
  'lifecycle_at',
  'deactivated_at',
  'state',
  'state_since',
  'partner_id',
  'article_codes',
  'option82',
  'partner_reference',
  'last_event_id',
  'erased',
];
/** Columns of `event` without those that have the same value at the beginning of every event. */
const WRITTEN = [
  'event_id',
  'shard_key',
  'tenant',
  'namespace_id',
  'entity_id',
  'sequence',
  'event_type',
  'event_at',
  'event_timezone',
  'event_date',
  'sys_attributes',
  'sys_hash',
  ...USER_ATTRIBUTE_NAMES,
  'created_at',
  'created_by',
  'modified_at',
];

const fields = (row: string, columns: readonly string[]): string => columns.map((column) => `${row}.${column}`).join(', ');
const userTexts = (row: string): string =>
  USER_ATTRIBUTE_NAMES.map((name) => `${row}.${name}${USER_ATTRIBUTES[name] === 'json' ? '::text' : ''}`).join(', ');
const isOfLine = (row: string): string =>
  KEPT.slice(0, 4)
    .map((column) => `${row}.${column} = line.${column}`)
    .join(' and ');

/** What an event within the current subscription sets still applies, unless a later event sets it again. */
const setWithin = (member: string): string => `
      if added.sys_attributes ->> '${member}' is not null then
        perform 1 from event e
        where ${isOfLine('e')} and e.event_type <> 'notification' and e.event_at > added.event_at
          and (e.sys_attributes ->> '${member}') is not null
        limit 1;
        if not found then
          line.${member} := added.sys_attributes ->> '${member}';
        end if;
      end if;`;

/** The row of `line_change` that a partner sees of a timeline `line`. */
const isLineOf = (row: string, partner: string): string =>
  `${row}.shard_key = line.shard_key and ${row}.tenant = line.tenant and ${row}.partner_id = ${partner}
        and ${row}.line_id = ${lineId('line.tenant', partner, 'line.entity_id')}`;

/** What an ISP sees of a line that runs; without a partner, there is nothing to see. */
const SEEN = ['partner_id', 'state_since', 'article_codes', 'option82', 'partner_reference'];

/** Whether an event of a subscription that has ended sets a member that nobody has set since, to another value than it had at the end. */
const changesEnd = (member: string): string => `
        added.sys_attributes ->> '${member}' is not null and coalesce((
          select e.event_at < added.event_at and (e.sys_attributes ->> '${member}') <> (added.sys_attributes ->> '${member}') from event e
          where ${isOfLine('e')} and e.event_type <> 'notification' and e.event_at >= began and e.event_at < ended
            and (e.sys_attributes ->> '${member}') is not null
          order by e.event_at desc limit 1
        ), true)`;

/**
 * Adds an event if its timeline still has the version that was read; otherwise, and if any argument is null, returns null. `is_last` says
 * that no lifecycle event of the timeline is later by `event_at`. One function contains all statements, because Citus sends a function call
 * to the worker with the shard, but would split a single statement and commit in two phases (docs/adr/0008). It returns the row, not JSON,
 * so that the format of an event is defined in one place.
 */
const CREATE_APPEND_EVENT = `
  create or replace function append_event(shard_key smallint, tenant text, version_read integer, is_last boolean, attributes json)
  returns event language plpgsql strict as $$
  #variable_conflict use_column
  declare
    -- Read before the timeline: it must not depend on when a lock is granted.
    written_at timestamptz := write_time();
    added event := json_populate_record(null::event, append_event.attributes);
    line timeline;
    known timeline;
    milliseconds text;
    seen_by uuid;
    began timestamptz;
    ended timestamptz;
  begin
    added.shard_key := append_event.shard_key;
    added.tenant := append_event.tenant;
    select t.* into line from timeline t
    where t.shard_key = added.shard_key and t.tenant = added.tenant and t.namespace_id = added.namespace_id and t.entity_id = added.entity_id;
    if coalesce(line.version, 0) <> append_event.version_read then
      return null;
    end if;
    known := line;
    -- No event is recorded before an earlier one of its timeline, so what was recorded by any instant is valid too.
    added.created_at := greatest(line.modified_at, written_at);
    added.modified_at := added.created_at;
    added.sequence := append_event.version_read + 1;
    -- A UUIDv7 of the time of its creation, whose rand_a is the shard key.
    milliseconds := lpad(to_hex((extract(epoch from added.created_at) * 1000)::bigint), 12, '0');
    added.event_id := overlay(
      gen_random_uuid()::text
      placing left(milliseconds, 8) || '-' || right(milliseconds, 4) || '-7' || lpad(to_hex(added.shard_key::integer), 3, '0') from 1 for 18
    )::uuid;

    line.shard_key := added.shard_key;
    line.tenant := added.tenant;
    line.namespace_id := added.namespace_id;
    line.entity_id := added.entity_id;
    line.version := added.sequence;
    line.created_at := coalesce(line.created_at, added.created_at);
    line.modified_at := added.created_at;
    line.last_event_id := added.event_id;
    line.erased := false;
    if added.event_type = 'deactivation' then
      line.deactivated_at := greatest(line.deactivated_at, added.event_at);
    end if;
    if added.event_type = 'notification' then
      if line.lifecycle_at is null then
        line.state := 'announced';
        line.state_since := least(line.state_since, added.event_at);
      end if;
    elsif append_event.is_last then
      line.lifecycle_at := added.event_at;
      line.article_codes := null;
      if added.event_type <> 'deactivation' then
        line.article_codes := array(select json_array_elements_text(added.sys_attributes -> 'article_codes'));
      end if;
      if added.event_type = 'update' then
        line.option82 := coalesce(added.sys_attributes ->> 'option82', line.option82);
        line.partner_reference := coalesce(added.sys_attributes ->> 'partner_reference', line.partner_reference);
      else
        line.state := case added.event_type when 'activation' then 'active' else 'inactive' end;
        line.state_since := added.event_at;
        line.partner_id := added.sys_attributes ->> 'partner_id';
        line.option82 := added.sys_attributes ->> 'option82';
        line.partner_reference := added.sys_attributes ->> 'partner_reference';
      end if;
    elsif added.event_at > line.state_since then${setWithin('option82')}${setWithin('partner_reference')}
    end if;

    -- The first to increment the version wins; the other finds another version and inserts nothing. A timeline that was read as version 5
    -- always exists here: only the clean-up deletes timelines, in namespaces that no request can reach any more.
    insert into timeline as t (${[...KEPT, ...CHANGED, 'modified_at'].join(', ')})
    values (${fields('line', [...KEPT, ...CHANGED, 'modified_at'])})
    on conflict (tenant, namespace_id, entity_id, shard_key) do update set
      ${CHANGED.map((column) => `${column} = excluded.${column}`).join(', ')},
      -- Someone may have overwritten an event in the meantime.
      modified_at = greatest(t.modified_at, excluded.modified_at)
    where t.version = append_event.version_read
      -- Someone may have erased these in the meantime.
      and (t.option82, t.partner_reference) is not distinct from (known.option82, known.partner_reference);
    if not found then
      return null;
    end if;
    if added.namespace_id = '${PRODUCTION}' then
      -- Another partner's subscription begins only after this one's has ended, so an event changes what one ISP sees, never two.
      seen_by := coalesce(line.partner_id, known.partner_id);
      if seen_by is not null and (${fields('line', SEEN)}) is distinct from (${fields('known', SEEN)}) then
        insert into line_change as r (tenant, partner_id, line_id, shard_key, entity_id, ended_at, created_at, changed_at)
        values (
          line.tenant, seen_by, ${lineId('line.tenant', 'seen_by', 'line.entity_id')}, line.shard_key, line.entity_id,
          case when line.partner_id is null then line.state_since end, added.created_at, added.created_at
        )
        on conflict (tenant, partner_id, line_id, shard_key) do update set ended_at = excluded.ended_at, changed_at = excluded.changed_at;
      elsif added.event_type = 'update' and added.event_at < line.state_since then
        -- What an ISP sees of a line that has ended are the last values of its subscription.
        select e.event_at, (e.sys_attributes ->> 'partner_id')::uuid into began, seen_by from event e
        where ${isOfLine('e')} and e.event_type = 'activation' and e.event_at < added.event_at order by e.event_at desc limit 1;
        select e.event_at into ended from event e
        where ${isOfLine('e')} and e.event_type <> 'notification' and e.event_type = 'deactivation' and e.event_at > added.event_at
        order by e.event_at limit 1;
        if ${changesEnd('option82')} or ${changesEnd('partner_reference')} then
          update line_change r set changed_at = added.created_at where ${isLineOf('r', 'seen_by')} and r.ended_at = ended;
        end if;
      end if;
    end if;
    insert into event as e (${WRITTEN.join(', ')}) values (${fields('added', WRITTEN)}) returning e.* into added;
    return added;
  end $$`;

/**
 * Replaces all user attributes of an event if they differ; otherwise returns null. The lock of the timeline's row serializes whatever changes
 * an event; an erasure takes the same lock first, so the two never wait for each other. `modified_at` always increases, even within a
 * millisecond.
 */
const CREATE_OVERWRITE_EVENT = `
  create or replace function overwrite_event(shard_key smallint, tenant text, namespace_id uuid, event_id uuid, attributes json)
  returns event language plpgsql strict as $$
  #variable_conflict use_column
  declare
    written_at timestamptz := write_time();
    sent event := json_populate_record(null::event, overwrite_event.attributes);
    line event;
  begin
    perform 1 from timeline t join event e on ${sameTimeline('e', 't')}
    where e.shard_key = overwrite_event.shard_key and t.shard_key = overwrite_event.shard_key and e.tenant = overwrite_event.tenant
      and e.namespace_id = overwrite_event.namespace_id and e.event_id = overwrite_event.event_id
    for no key update of t;
    select e.* into line from event e
    where e.shard_key = overwrite_event.shard_key and e.tenant = overwrite_event.tenant
      and e.namespace_id = overwrite_event.namespace_id and e.event_id = overwrite_event.event_id;
    if not found or line.erased_at is not null or (${userTexts('line')}) is not distinct from (${userTexts('sent')}) then
      return null;
    end if;
    written_at := greatest(written_at, line.modified_at + interval '1 millisecond');
    update timeline t set modified_at = greatest(t.modified_at, written_at) where ${isOfLine('t')};
    update event e
    set ${USER_ATTRIBUTE_NAMES.map((name) => `${name} = sent.${name}`).join(', ')}, overwritten = true, modified_at = written_at,
      modified_by = sent.modified_by
    where e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.event_id = line.event_id
    returning e.* into line;
    return line;
  end $$`;

/** Whether an event `e` has a value that `with_line` erases. */
const HAS_LINE = `coalesce(e.sys_attributes ->> 'option82', e.sys_attributes ->> 'partner_reference') is not null`;
/** The members of the `sys_attributes` of an event `e` that stay, each as the text that it had, separated by a comma; null if there is none. */
const STAYING = ((one: string, other: string): string => `coalesce(${one} || ',' || ${other}, ${one}, ${other})`)(
  ...(['article_codes', 'partner_id'].map((member) => `('"${member}":' || (e.sys_attributes -> '${member}')::text)`) as [string, string]),
);

/**
 * Clears the user attributes of all events of an entity and, if `with_line`, `option82` and `partner_reference` too, in its timeline as
 * well. Returns whether there is such an entity; if `inactive_before` is not null, it must have been inactive since before then.
 * `sys_hash` stays: a repeat of an event is still recognised, and `erased_at` makes sure that it writes nothing.
 *
 * One statement changes all events: 100,000 of them take 5 s, one by one 14 s. Citus rejects an update with an expression that is not
 * immutable, as the sum of a timestamptz and an interval is; that of a timestamp is.
 */
const CREATE_ERASE_ENTITY = `
  create or replace function erase_entity(shard_key smallint, tenant text, namespace_id uuid, entity_id uuid, with_line boolean, inactive_before timestamptz, erased_by text)
  returns boolean language plpgsql as $$
  #variable_conflict use_column
  declare
    written_at timestamptz := write_time();
    line timeline;
    seen_by uuid;
  begin
    select t.* into line from timeline t
    where t.shard_key = erase_entity.shard_key and t.tenant = erase_entity.tenant
      and t.namespace_id = erase_entity.namespace_id and t.entity_id = erase_entity.entity_id
    for update;
    -- The entity may have become active since it was found.
    if not found or inactive_before is not null and (line.state <> 'inactive' or line.state_since >= inactive_before) then
      return false;
    end if;
    -- What an ISP sees of its line changes if one of the events of the subscription that it sees has a value.
    if with_line and line.namespace_id = '${PRODUCTION}' then
      for seen_by in select distinct (e.sys_attributes ->> 'partner_id')::uuid from event e where ${isOfLine('e')} and e.event_type = 'activation'
      loop
        update line_change r set changed_at = greatest(r.changed_at, written_at)
        where ${isLineOf('r', 'seen_by')} and exists (
          select 1 from event e
          where ${isOfLine('e')} and e.event_type <> 'notification' and ${HAS_LINE} and e.event_at < coalesce(r.ended_at, 'infinity')
            and e.event_at >= (
              select max(a.event_at) from event a
              where ${isOfLine('a')} and a.event_type = 'activation' and a.event_at < coalesce(r.ended_at, 'infinity')
            )
        );
      end loop;
    end if;
    update event e
    set ${USER_ATTRIBUTE_NAMES.map((name) => `${name} = null`).join(', ')},
      sys_attributes = case when with_line and ${HAS_LINE} then ('{' || ${STAYING} || '}')::json else e.sys_attributes end,
      overwritten = true, erased_at = written_at, modified_by = erase_entity.erased_by,
      modified_at = greatest(written_at, (e.modified_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')
    where ${isOfLine('e')} and (e.erased_at is null or with_line and ${HAS_LINE});
    if found then
      select max(e.modified_at) into line.modified_at from event e where ${isOfLine('e')};
    end if;
    if with_line then
      line.option82 := null;
      line.partner_reference := null;
    end if;
    update timeline t set modified_at = line.modified_at, option82 = line.option82, partner_reference = line.partner_reference, erased = true
    where ${isOfLine('t')};
    return true;
  end $$`;

/** Replaces the functions whenever their text has changed. */
export const EventFunctions = repeatableMigration('EventFunctions', [
  // Citus cannot change a function in a transaction that has used shards in parallel. Without Citus, PostgreSQL ignores this setting.
  `set local citus.multi_shard_modify_mode to 'sequential'`,
  CREATE_APPEND_EVENT,
  CREATE_OVERWRITE_EVENT,
  CREATE_ERASE_ENTITY,
]);
