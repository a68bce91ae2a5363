with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2  order by e.event_id limit $3::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

select count(*)::int as total from (select 1 from event e where e.tenant = $1 and e.namespace_id = $2 limit 10000 + 1) counted;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_id >= $3::uuid order by e.event_id limit $4::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid  order by e.event_id limit $5::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and not e.overwritten  order by e.event_id limit $3::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e join timeline t on e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and t.tenant = $1 and t.namespace_id = $2 where e.tenant = $1 and e.namespace_id = $2 and e.event_at <= case e.event_type when 'notification' then $3::timestamptz else t.deactivated_at end  order by e.event_id limit $4::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_by = $3 and e.modified_by = $4  order by e.event_id limit $5::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_type = $3 and e.partner_id = $4::uuid  order by e.event_id limit $5::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_id >= $3::uuid and e.event_id < $4::uuid  order by e.event_id limit $5::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_id in (
select i.event_id from (select d::date as day from generate_series($5::date, $6::date, interval '1 day') d) day cross join lateral (select e.event_id from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_date >= $5::date and e.event_date <= $6::date and e.event_date = day.day  order by e.event_id limit $7::int + 1) i  order by i.event_id limit $7::int + 1)  order by e.event_id limit $7::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $7::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.sequence = t.version limit 1) e
where t.tenant = $1 and t.namespace_id = $2  order by t.entity_id limit $3::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

select count(*)::int as total from (select 1 from timeline t where t.tenant = $1 and t.namespace_id = $2 limit 10000 + 1) counted;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.sequence = t.version limit 1) e
where t.tenant = $1 and t.namespace_id = $2 and t.entity_id >= $3::uuid order by t.entity_id limit $4::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

explain (format json) select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select distinct on (e.entity_id) e.* from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid offset 0) e

order by e.entity_id, e.sequence desc limit $5::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and not e.overwritten order by e.sequence desc limit 1) e
where t.tenant = $1 and t.namespace_id = $2  order by t.entity_id limit $3::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= case e.event_type when 'notification' then $3::timestamptz else t.deactivated_at end order by e.sequence desc limit 1) e
where t.tenant = $1 and t.namespace_id = $2  order by t.entity_id limit $4::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

explain (format json) select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_by = $3 and e.modified_by = $4;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select distinct on (e.entity_id) e.* from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_by = $3 and e.modified_by = $4 offset 0) e

order by e.entity_id, e.sequence desc limit $5::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

explain (format json) select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_type = $3 and e.partner_id = $4::uuid;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select distinct on (e.entity_id) e.* from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_type = $3 and e.partner_id = $4::uuid offset 0) e

order by e.entity_id, e.sequence desc limit $5::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

explain (format json) select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_id >= $3::uuid and e.event_id < $4::uuid;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select distinct on (e.entity_id) e.* from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_id >= $3::uuid and e.event_id < $4::uuid offset 0) e

order by e.entity_id, e.sequence desc limit $5::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

explain (format json) select 1 from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_date >= $5::date and e.event_date <= $6::date;

  with record as materialized (
    select e.entity_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
    from (
select distinct on (e.entity_id) e.* from (select e.* from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_date >= $5::date and e.event_date <= $6::date offset 0) e

order by e.entity_id, e.sequence desc limit $7::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
  from (
    select r.*, r.place <= $7::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2  order by e.event_id desc limit $3::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id desc)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') as json
  from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_id <= $3::uuid order by e.event_id desc limit $4::int + 1) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.event_id desc)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

  with record as materialized (
    select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"', ',"subscription":' || case when e.partner_id is not null then format('{"partner_id":"%s"%s%s}', e.partner_id, ',"option82":' || to_json(e.option82)::text, ',"partner_reference":' || to_json(e.partner_reference)::text) end) as json
    from (
select r.*, coalesce(r.sys_attributes ->> 'option82', last_option82.value) as option82, coalesce(r.sys_attributes ->> 'partner_reference', last_partner_reference.value) as partner_reference
from event r
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type = 'activation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
where r.tenant = $1 and r.namespace_id = $2 and r.event_id in (select i.event_id from (select e.* from event e where e.tenant = $3 and e.namespace_id = $4  order by e.event_id limit $5::int + 1) i)
 order by r.event_id limit $5::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
  from (
    select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.event_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

  with record as materialized (
    select e.event_id, format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"', ',"subscription":' || case when e.partner_id is not null then format('{"partner_id":"%s"%s%s}', e.partner_id, ',"option82":' || to_json(e.option82)::text, ',"partner_reference":' || to_json(e.partner_reference)::text) end) as json
    from (
select r.*, coalesce(r.sys_attributes ->> 'option82', last_option82.value) as option82, coalesce(r.sys_attributes ->> 'partner_reference', last_partner_reference.value) as partner_reference
from event r
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type = 'activation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.namespace_id = r.namespace_id and e.entity_id = r.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= r.event_at and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
where r.tenant = $1 and r.namespace_id = $2 and r.event_id in (select i.event_id from (select e.* from event e where e.tenant = $3 and e.namespace_id = $4 and e.event_id >= $5::uuid order by e.event_id limit $6::int + 1) i)
 order by r.event_id limit $6::int + 1) e
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
  from (
    select r.*, r.place <= $6::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.event_id)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

copy (select e.event_id as event_id, e.entity_id as entity_id, e.event_type as event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end) as event_at, e.event_timezone as event_timezone, e.sys_attributes::text as sys_attributes, e.usr_reference as usr_reference, e.usr_attributes::text as usr_attributes, e.comment as comment, e.tenant as tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') as created_at, e.created_by as created_by, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') as modified_at, e.modified_by as modified_by, to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') as erased_at from event e where e.tenant = 'ano.test' and e.namespace_id = '...' and e.event_date = '2026-01-01'::date order by e.event_id) to stdout (format csv, header);

copy (select format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"') from event e where e.tenant = 'ano.test' and e.namespace_id = '...' and e.event_date = '2026-01-01'::date order by e.event_id) to stdout (format csv, quote E'\x01', delimiter E'\x02');
