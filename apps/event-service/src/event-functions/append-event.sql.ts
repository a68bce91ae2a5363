import { USER_ATTRIBUTE_NAMES } from '../events/event.js';
import { sameTimeline, TIMELINE_KEY } from '../timeline/timeline.sql.js';
import { fields } from './line-rows.sql.js';
import { NOTE_LINE_CHANGE } from './note-line-change.sql.js';

/** Columns of `timeline` that a new event may change, and those that it always sets. */
const CHANGED = ['lifecycle_at', 'deactivated_at', 'state', 'state_since', 'partner_id', 'article_codes', 'option82', 'partner_reference'];
const SET = ['version', 'last_event_id', 'erased'];
/** Columns of `event` without those that have the same value at the beginning of every event. */
const WRITTEN = [
  'event_id',
  'shard_key',
  'tenant',
  'namespace_id',
  'entity_id',
  'partner_id',
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

/** How many notifications an activation assigns to its subscription, of those that were recorded before it and take place after it. */
export const MAX_EARLIER_NOTIFICATIONS = 2_000;

/** What an event within the last subscription sets still applies, unless a later event sets it again. */
const setWithin = (member: string): string => `
        if sent.${member} is not null then
          perform 1
          from event e
          where ${sameTimeline('e', 'added')}
            and e.event_type <> 'notification'
            and e.event_at > added.event_at
            and (e.sys_attributes ->> '${member}') is not null
          limit 1;
          if not found then
            line.${member} := sent.${member};
          end if;
        end if;`;

/**
 * Adds an event if its timeline still has the version that was read; otherwise, and if any argument is null, returns null. `is_last` says
 * that no lifecycle event of the timeline is later by `event_at`. One function contains all statements, because Citus sends a function call
 * to the worker with the shard, but would split a single statement and commit in two phases (docs/adr/0008). It returns the row, not JSON,
 * so that the format of an event is defined in one place.
 */
export const CREATE_APPEND_EVENT = `
  create or replace function append_event(
    shard_key smallint,
    tenant text,
    version_read integer,
    is_last boolean,
    attributes json
  )
  returns event language plpgsql strict as $$
  #variable_conflict use_column
  declare
    -- Read before the timeline: it must not depend on when a lock is granted.
    written_at timestamptz := write_time();
    added event := json_populate_record(null::event, append_event.attributes);
    sent timeline := json_populate_record(null::timeline, added.sys_attributes);
    known timeline;
    line timeline;
    milliseconds text;
    seen_by uuid;
    began timestamptz;
    ended timestamptz;
    left_out_at timestamptz;
    left_out_hash uuid;
  begin
    added.shard_key := append_event.shard_key;
    added.tenant := append_event.tenant;
    -- There was no timeline at version 0.
    if append_event.version_read > 0 then
      select t.* into known
      from timeline t
      where ${sameTimeline('t', 'added')};
      if known.version is distinct from append_event.version_read then
        return null;
      end if;
    end if;
    line := known;
    -- No event is recorded before an earlier one of its timeline, so what was recorded by any instant is valid too.
    added.created_at := greatest(known.modified_at, written_at);
    added.modified_at := added.created_at;
    added.sequence := append_event.version_read + 1;
    -- A UUIDv7 of the time of its creation, whose rand_a is the shard key.
    milliseconds := lpad(to_hex((extract(epoch from added.created_at) * 1000)::bigint), 12, '0');
    added.event_id := overlay(
      gen_random_uuid()::text
      placing left(milliseconds, 8) || '-' || right(milliseconds, 4) || '-7' || lpad(to_hex(added.shard_key::integer), 3, '0')
      from 1 for 18
    )::uuid;

    -- The ISP of the subscription that the event belongs to: the one whose activation came last before it.
    added.partner_id := sent.partner_id;
    if added.partner_id is null and added.event_at >= known.lifecycle_at then
      added.partner_id := known.partner_id;
    elsif added.partner_id is null and known.lifecycle_at is not null then
      select (e.sys_attributes ->> 'partner_id')::uuid into added.partner_id
      from event e
      where ${sameTimeline('e', 'added')}
        and e.event_type = 'activation'
        and e.event_at <= added.event_at
      order by e.event_at desc
      limit 1;
    end if;

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
      -- A deactivation has no attributes, and the other types have article codes.
      line.article_codes := sent.article_codes;
      if added.event_type = 'update' then
        line.option82 := coalesce(sent.option82, line.option82);
        line.partner_reference := coalesce(sent.partner_reference, line.partner_reference);
      else
        line.state := case added.event_type when 'activation' then 'active' else 'inactive' end;
        line.state_since := added.event_at;
        if added.event_type = 'activation' then
          line.partner_id := sent.partner_id;
          line.option82 := sent.option82;
          line.partner_reference := sent.partner_reference;
        end if;
      end if;
    elsif added.event_type = 'update' then
      perform 1
      from event e
      where ${sameTimeline('e', 'added')}
        and e.event_type = 'activation'
        and e.event_at > added.event_at
      limit 1;
      if not found then${setWithin('option82')}${setWithin('partner_reference')}
      end if;
    end if;

    -- The first to increment the version wins; the other finds another version and inserts nothing. A timeline that was read as version 5
    -- always exists here: only the clean-up deletes timelines, in namespaces that no request can reach any more.
    insert into timeline as t (${[...TIMELINE_KEY, ...SET, ...CHANGED, 'created_at', 'modified_at'].join(', ')})
    values (
      ${fields('added', TIMELINE_KEY)}, added.sequence, added.event_id, false,
      ${fields('line', CHANGED)}, added.created_at, added.created_at
    )
    on conflict (tenant, namespace_id, entity_id, shard_key) do update
    set
      ${[...SET, ...CHANGED].map((column) => `${column} = excluded.${column}`).join(',\n      ')},
      -- Someone may have overwritten an event in the meantime.
      modified_at = greatest(t.modified_at, excluded.modified_at)
    where t.version = append_event.version_read
      -- Someone may have erased these in the meantime.
      and (t.option82, t.partner_reference) is not distinct from (known.option82, known.partner_reference);
    if not found then
      return null;
    end if;${NOTE_LINE_CHANGE}

    insert into event as e (${WRITTEN.join(', ')})
    values (${fields('added', WRITTEN)})
    returning e.* into added;

    -- An activation is always the last one: notifications since then belong to its subscription, even if they were recorded earlier. Their
    -- number is limited, because the write of each one takes time.
    if added.event_type = 'activation' and append_event.version_read > 0 then
      select e.event_at, e.sys_hash into left_out_at, left_out_hash
      from event e
      where ${sameTimeline('e', 'added')}
        and e.event_type = 'notification'
        and e.event_at >= added.event_at
      order by e.event_at, e.sys_hash
      offset ${MAX_EARLIER_NOTIFICATIONS} limit 1;
      update event e
      set partner_id = added.partner_id
      where ${sameTimeline('e', 'added')}
        and e.event_type = 'notification'
        and (e.sys_attributes ->> 'partner_id') is null
        and e.event_at >= added.event_at
        and (left_out_at is null or (e.event_at, e.sys_hash) < (left_out_at, left_out_hash));
    end if;
    return added;
  end $$`;
