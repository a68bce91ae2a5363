import { repeatableMigration } from '@fibre/database';
import { USER_ATTRIBUTE_NAMES } from './event.js';

/** The function's name and parameter types, as Citus needs them. */
export const APPEND_EVENT = 'append_event(smallint, text, integer, boolean, json)';

/** Age in seconds at which a timestamp is too old to be written; less than `SETTLE_SECONDS` in every production environment. */
export const LATE_SECONDS = 5;

/** Columns of `event` that {@link APPEND_EVENT} receives as members of a JSON object. */
const GIVEN = [
  ...['namespace_id', 'entity_id', 'event_id', 'event_type', 'event_at', 'event_timezone', 'event_date', 'sys_attributes', 'sys_hash'],
  ...USER_ATTRIBUTE_NAMES,
  'created_at',
];
const WRITTEN = ['tenant', 'sequence', ...GIVEN, 'modified_at'];

const OF_LINE = `e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id`;
const LIFECYCLE = `${OF_LINE} and e.event_type <> 'notification'`;
const articleCodesOf = (event: string): string => `array(select json_array_elements_text(${event}.sys_attributes -> 'article_codes'))`;

/** Reads a member from the current subscription's last event that contains it. */
const lastGiven = (member: string): string => `
      select e.sys_attributes ->> '${member}' into line.${member} from event e
      where ${LIFECYCLE} and e.event_at >= line.state_since and e.sys_attributes ->> '${member}' is not null
      order by e.event_at desc limit 1;`;

/**
 * Adds an event if its timeline still has the version that was read and the event isn't late; otherwise returns null. One function contains
 * both statements, because Citus sends a function call to the worker with the shard, but would split a single statement and commit in two
 * phases (docs/adr/0008). It returns the row, not JSON, so that the format of an event is defined in one place.
 *
 * The `version` of a timeline is its number of events. `lifecycle_at` is the `event_at` of the last lifecycle event.
 */
const CREATE_APPEND_EVENT = `
  create or replace function append_event(shard_key smallint, tenant text, version_read integer, is_last boolean, attributes json)
  returns event language plpgsql as $$
  #variable_conflict use_column
  declare
    added event := json_populate_record(null::event, append_event.attributes);
    begins boolean := append_event.is_last and added.event_type <> 'update';
    -- Not in the statement below, because Citus would evaluate a part of such a case and send one that the worker cannot parse.
    state_begun text := case added.event_type when 'notification' then 'announced' when 'deactivation' then 'inactive' else 'active' end;
    codes text[];
    line timeline;
  begin
    -- Delivered late by the network. Recorded now, it would change what is settled (libs/changes), so the service has to read again.
    if added.created_at < clock_timestamp() - interval '${LATE_SECONDS} seconds' then
      return null;
    end if;
    if append_event.is_last and added.event_type <> 'deactivation' then
      codes := ${articleCodesOf('added')};
    end if;
    -- The first to increment the version wins; the other finds another version and inserts nothing. A timeline that was read as version 5
    -- always exists here: only the clean-up deletes timelines, in namespaces that no request can reach any more.
    insert into timeline as t (
      shard_key, tenant, namespace_id, entity_id, version, deactivated_at,
      lifecycle_at, state, state_since, partner_id, article_codes, option82, partner_reference,
      created_at, modified_at, last_event_id
    )
    values (
      append_event.shard_key, append_event.tenant, added.namespace_id, added.entity_id, 1,
      case added.event_type when 'deactivation' then added.event_at end,
      case when append_event.is_last then added.event_at end,
      state_begun,
      added.event_at,
      case when append_event.is_last then (added.sys_attributes ->> 'partner_id')::uuid end,
      codes,
      case when append_event.is_last then added.sys_attributes ->> 'option82' end,
      case when append_event.is_last then added.sys_attributes ->> 'partner_reference' end,
      added.created_at, added.created_at, added.event_id
    )
    on conflict (tenant, namespace_id, entity_id, shard_key)
    do update set
      version = t.version + 1,
      deactivated_at = greatest(t.deactivated_at, excluded.deactivated_at),
      lifecycle_at = coalesce(excluded.lifecycle_at, t.lifecycle_at),
      state = case when begins then excluded.state else t.state end,
      state_since = case
        when begins then excluded.state_since
        when t.state = 'announced' then least(t.state_since, excluded.state_since)
        else t.state_since
      end,
      partner_id = case when begins then excluded.partner_id else t.partner_id end,
      article_codes = case when append_event.is_last then excluded.article_codes else t.article_codes end,
      option82 = case when begins then excluded.option82 else coalesce(excluded.option82, t.option82) end,
      partner_reference = case
        when begins then excluded.partner_reference
        else coalesce(excluded.partner_reference, t.partner_reference)
      end,
      modified_at = greatest(t.modified_at, excluded.modified_at),
      last_event_id = excluded.last_event_id
    where t.version = append_event.version_read
    returning t.version, t.state_since, t.modified_at into line.version, line.state_since, line.modified_at;
    if line.version is null then
      return null;
    end if;
    added.tenant := append_event.tenant;
    added.sequence := line.version;
    -- Clocks differ, but no event is recorded before an earlier one of its timeline, so what was recorded by any instant is valid too.
    added.created_at := line.modified_at;
    added.modified_at := line.modified_at;
    insert into event as e (shard_key, ${WRITTEN.join(', ')})
    values (append_event.shard_key, ${WRITTEN.map((column) => `added.${column}`).join(', ')})
    returning e.* into added;
    -- The event is within the running subscription and contains a member that a later one may also contain. The article codes come from
    -- the last event, which this one isn't.
    if added.event_type <> 'notification' and not append_event.is_last and added.event_at > line.state_since
      and coalesce(added.sys_attributes ->> 'option82', added.sys_attributes ->> 'partner_reference') is not null
    then
      line.shard_key := append_event.shard_key;
      line.tenant := append_event.tenant;
      line.namespace_id := added.namespace_id;
      line.entity_id := added.entity_id;${lastGiven('option82')}${lastGiven('partner_reference')}
      update timeline t set option82 = line.option82, partner_reference = line.partner_reference
      where t.shard_key = line.shard_key and t.tenant = line.tenant and t.namespace_id = line.namespace_id and t.entity_id = line.entity_id;
    end if;
    return added;
  end $$`;

/** If the tables are distributed, the worker with the shard runs the function. */
const DISTRIBUTE = `
  do $$ begin
    if to_regclass('pg_catalog.pg_dist_partition') is null then
      return;
    end if;
    if exists (select 1 from pg_dist_partition where logicalrelid = 'event'::regclass)
      and not exists (select 1 from pg_dist_object where objid = '${APPEND_EVENT}'::regprocedure and distribution_argument_index is not null)
    then
      perform create_distributed_function('${APPEND_EVENT}', 'shard_key', colocate_with => 'event');
    end if;
  end $$`;

/** Replaces the function whenever its text has changed. */
export const AppendEvent = repeatableMigration('AppendEvent', {
  // Citus cannot change a function in a transaction that has used shards in parallel. Without Citus, PostgreSQL ignores this setting.
  up: [`set local citus.multi_shard_modify_mode to 'sequential'`, CREATE_APPEND_EVENT, DISTRIBUTE],
  down: [`drop function ${APPEND_EVENT}`],
});
