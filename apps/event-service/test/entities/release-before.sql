-- append_event as the previous release created it, for the test of the migration.
create or replace function append_event(
  shard_key smallint, tenant text, namespace_id uuid, entity_id uuid, version_read integer, is_last boolean,
  event_id uuid, event_type text, event_at timestamptz, event_timezone text, event_date date, sys_attributes json, sys_hash uuid,
  usr_reference text, usr_attributes json, comment text, created_at timestamptz
) returns event language plpgsql as $$
#variable_conflict use_column
declare
  lasts boolean := append_event.is_last;
  begins boolean := lasts and append_event.event_type <> 'update';
  -- Here, and not in the statement below: where Citus knows a part of such a case, it makes one of it that the worker does not understand.
  state_begun text := case append_event.event_type when 'notification' then 'announced' when 'deactivation' then 'inactive' else 'active' end;
  codes text[];
  line timeline;
  latest event;
  added event;
begin
  if lasts and append_event.event_type <> 'deactivation' then
    codes := array(select json_array_elements_text(append_event.sys_attributes -> 'article_codes'));
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
  -- The row says nothing yet, or the event lies within the current subscription and gives what a later one may give too. Article codes
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
    line.entity_id := append_event.entity_id;
  line.partner_id := null; line.article_codes := null; line.option82 := null; line.partner_reference := null;
  select e.* into latest from event e where e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id and e.event_type <> 'notification' order by e.event_at desc limit 1;
  if not found then
    line.state := 'announced';
    select e.event_at into line.state_since from event e
    where e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id and e.event_type = 'notification' order by e.event_at limit 1;
  elsif latest.event_type = 'deactivation' then
    line.state := 'inactive';
    line.state_since := latest.event_at;
  else
    line.state := 'active';
    line.article_codes := array(select json_array_elements_text(latest.sys_attributes -> 'article_codes'));
    select e.event_at, e.sys_attributes ->> 'partner_id' into line.state_since, line.partner_id from event e
    where e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id and e.event_type <> 'notification' and e.event_type = 'activation' order by e.event_at desc limit 1;
    select e.sys_attributes ->> 'option82' into line.option82 from event e
    where e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id and e.event_type <> 'notification' and e.event_at >= line.state_since and e.sys_attributes ->> 'option82' is not null
    order by e.event_at desc limit 1;
    select e.sys_attributes ->> 'partner_reference' into line.partner_reference from event e
    where e.shard_key = line.shard_key and e.tenant = line.tenant and e.namespace_id = line.namespace_id and e.entity_id = line.entity_id and e.event_type <> 'notification' and e.event_at >= line.state_since and e.sys_attributes ->> 'partner_reference' is not null
    order by e.event_at desc limit 1;
  end if;
  update timeline t set
    state = line.state, state_since = line.state_since, partner_id = line.partner_id, article_codes = line.article_codes,
    option82 = line.option82, partner_reference = line.partner_reference
  where t.shard_key = line.shard_key and t.tenant = line.tenant and t.namespace_id = line.namespace_id and t.entity_id = line.entity_id;
  end if;
  return added;
end $$;
