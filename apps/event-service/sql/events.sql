select
  'head' as role,
  coalesce(max(t.version), 0) as version,
  clock_timestamp() as now,
  null::uuid as event_id,
  null as event_type,
  null as event_at,
  false as same_core,
  false as same_user,
  null as json
from timeline t
where t.shard_key = $1 and t.tenant = $2 and t.namespace_id = $3 and t.entity_id = $4 union all
(select 'previous', null, null, e.event_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), false, false, null
from event e
where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4
  and e.event_type <> 'notification'
  and e.event_at < $5::timestamptz
order by e.event_at desc
limit 1) union all
(select 'next', null, null, e.event_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), false, false, null
from event e
where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4
  and e.event_type <> 'notification'
  and e.event_at > $5::timestamptz
order by e.event_at asc
limit 1) union all
(select 'existing', null, null, e.event_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end),
  e.sys_hash = $6::uuid and e.event_type = $7,
  e.erased_at is not null or (e.usr_reference, e.usr_attributes::text, e.comment) is not distinct from ($8::text, $9::text, $10::text),
  format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"')
from event e
where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4
  and e.event_at = $5::timestamptz
  and e.event_type <> 'notification');

select case when coalesce(i.tenant, $1::text) is null then 'no-isp' when e.event_id is null then 'stale' else 'added' end as outcome,
  e.event_id,
  case when e.event_id is not null then format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') end as json
from (select 1) as one
left join (
  select i.tenant
  from isp i
  where i.tenant = $2::text
    and i.namespace_id = $3::uuid
    and i.partner_id = $4::uuid
  for key share
) i on true
cross join lateral append_event($5::smallint, coalesce(i.tenant, $1::text), $6::integer, $7::boolean, $8::json) e;

select case when e.event_id is null then 'stale' else 'added' end as outcome,
  e.event_id,
  case when e.event_id is not null then format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') end as json
from append_event($1::smallint, $2::text, $3::integer, $4::boolean, $5::json) e;

select
  'head' as role,
  coalesce(max(t.version), 0) as version,
  clock_timestamp() as now,
  null::uuid as event_id,
  null as event_type,
  null as event_at,
  false as same_core,
  false as same_user,
  null as json
from timeline t
where t.shard_key = $1 and t.tenant = $2 and t.namespace_id = $3 and t.entity_id = $4 union all
(select 'existing', null, null, e.event_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end),
  e.sys_hash = $5::uuid and e.event_type = $6,
  e.erased_at is not null or (e.usr_reference, e.usr_attributes::text, e.comment) is not distinct from ($7::text, $8::text, $9::text),
  format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"')
from event e
where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4
  and e.event_at = $10::timestamptz
  and e.sys_hash = $5::uuid and e.event_type = 'notification');

select
  e.event_id,
  case when e.event_id is not null then format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') end as json
from overwrite_event(
  $1::smallint,
  $2::text,
  $3::uuid,
  $4::uuid,
  $5::json
) e;

select format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
from event e
where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3
  and e.event_id = $4;

select 1 from refused_event;

insert into refused_event (tenant, refused_id, refused_at, sent_by, namespace_id, entity_id, event_type, event_at, event_timezone, sys_attributes, problem)
select r.tenant, r.refused_id, r.refused_at, r.sent_by, r.namespace_id, r.entity_id, r.event_type, r.event_at, r.event_timezone, r.sys_attributes::json, r.problem::json
from json_to_recordset($1::json) as r (tenant text, refused_id uuid, refused_at timestamptz, sent_by text, namespace_id uuid, entity_id uuid, event_type text, event_at timestamptz, event_timezone text, sys_attributes text, problem text);

delete from refused_event r
using unnest($1::text[]) t (tenant) cross join lateral (
  select s.refused_id from refused_event s where s.tenant = t.tenant order by s.refused_id desc offset 1000 limit 1
) newest
where r.tenant = t.tenant and r.refused_id <= newest.refused_id;
