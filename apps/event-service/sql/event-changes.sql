select exists (select 1 from pg_extension where extname = 'citus') as found;

select date_trunc('milliseconds', (
    select least(
      unsettled_since(),
      (select min(p.prepared) from pg_prepared_xacts p where p.database = current_database()) - interval '300 seconds'
    )) - $1 * interval '1 second') as settled, true as complete;

with record as materialized (
  select e.modified_at, e.event_id, format('{"change":"%s","changed_at":"%s","event":%s}', case when e.overwritten then 'overwritten' else 'created' end, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s%s}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(e.created_by)::text, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(e.modified_by)::text, ',"erased_at":"' || to_char(e.erased_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') || '"')) as json
  from ((select e.* from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.modified_at < $5::timestamptz and e.event_type = 'update' and (e.modified_at, e.event_id) >= ($6::timestamptz, $7::uuid) order by e.modified_at, e.event_id limit $8::int + 1)) e
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.modified_at order by r.place) filter (where not r.fits))[1] as next_modified_at, (array_agg(r.event_id order by r.place) filter (where not r.fits))[1] as next_event_id
from (
  select r.*, r.place <= $8::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.modified_at, r.event_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;
