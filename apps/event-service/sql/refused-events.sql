with record as materialized (
  select r.refused_id, format('{"refused_id":"%s","refused_at":"%s"%s,"entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s,"problem":%s,"tenant":%s}', r.refused_id, to_char(r.refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"sent_by":' || to_json(r.sent_by)::text, r.entity_id, r.event_type, to_char(r.event_at at time zone 'UTC', case when date_trunc('milliseconds', r.event_at) = r.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), r.event_timezone, ',"sys_attributes":' || r.sys_attributes::text, r.problem::text, to_json(r.tenant)::text) as json
  from (select r.* from refused_event r where r.tenant = $1 and r.namespace_id = $2::uuid  order by r.refused_id limit $3::int + 1) r
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.refused_id order by r.place) filter (where not r.fits))[1] as next_refused_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.refused_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

select count(*)::int as total from (select 1 from refused_event r where r.tenant = $1 and r.namespace_id = $2::uuid limit 10000 + 1) counted;

with record as materialized (
  select r.refused_id, format('{"refused_id":"%s","refused_at":"%s"%s,"entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s,"problem":%s,"tenant":%s}', r.refused_id, to_char(r.refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"sent_by":' || to_json(r.sent_by)::text, r.entity_id, r.event_type, to_char(r.event_at at time zone 'UTC', case when date_trunc('milliseconds', r.event_at) = r.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), r.event_timezone, ',"sys_attributes":' || r.sys_attributes::text, r.problem::text, to_json(r.tenant)::text) as json
  from (select r.* from refused_event r where r.tenant = $1 and r.namespace_id = $2::uuid and r.refused_id >= $3::uuid order by r.refused_id limit $4::int + 1) r
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.refused_id order by r.place) filter (where not r.fits))[1] as next_refused_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.refused_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select r.refused_id, format('{"refused_id":"%s","refused_at":"%s"%s,"entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s,"problem":%s,"tenant":%s}', r.refused_id, to_char(r.refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"sent_by":' || to_json(r.sent_by)::text, r.entity_id, r.event_type, to_char(r.event_at at time zone 'UTC', case when date_trunc('milliseconds', r.event_at) = r.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), r.event_timezone, ',"sys_attributes":' || r.sys_attributes::text, r.problem::text, to_json(r.tenant)::text) as json
  from (select r.* from refused_event r where r.tenant = $1 and r.namespace_id = $2::uuid  order by r.refused_id desc limit $3::int + 1) r
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.refused_id order by r.place) filter (where not r.fits))[1] as next_refused_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.refused_id desc)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select r.refused_id, format('{"refused_id":"%s","refused_at":"%s"%s,"entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s,"problem":%s,"tenant":%s}', r.refused_id, to_char(r.refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"sent_by":' || to_json(r.sent_by)::text, r.entity_id, r.event_type, to_char(r.event_at at time zone 'UTC', case when date_trunc('milliseconds', r.event_at) = r.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), r.event_timezone, ',"sys_attributes":' || r.sys_attributes::text, r.problem::text, to_json(r.tenant)::text) as json
  from (select r.* from refused_event r where r.tenant = $1 and r.namespace_id = $2::uuid and r.refused_id <= $3::uuid order by r.refused_id desc limit $4::int + 1) r
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.refused_id order by r.place) filter (where not r.fits))[1] as next_refused_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.refused_id desc)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select r.refused_id, format('{"refused_id":"%s","refused_at":"%s"%s,"entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s,"problem":%s,"tenant":%s}', r.refused_id, to_char(r.refused_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"sent_by":' || to_json(r.sent_by)::text, r.entity_id, r.event_type, to_char(r.event_at at time zone 'UTC', case when date_trunc('milliseconds', r.event_at) = r.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), r.event_timezone, ',"sys_attributes":' || r.sys_attributes::text, r.problem::text, to_json(r.tenant)::text) as json
  from (select r.* from refused_event r where r.tenant = $1 and r.namespace_id = $2::uuid and r.entity_id = $3::uuid  order by r.refused_id limit $4::int + 1) r
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.refused_id order by r.place) filter (where not r.fits))[1] as next_refused_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.refused_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

delete from refused_event r where r.refused_at < $1::timestamptz - interval '7 days';
