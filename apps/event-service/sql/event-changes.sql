select exists (select 1 from pg_extension where extname = 'citus') as found;

select date_trunc('milliseconds', least(now(), (
    select least(
      (
        select min(a.xact_start) from pg_stat_activity a
        where a.datname = current_database() and (a.backend_xid is not null or a.wait_event_type = 'Lock')
      ),
      (select min(p.prepared) from pg_prepared_xacts p where p.database = current_database())
    ))) - $1 * interval '1 second') as settled, true as complete;

with page as materialized ((select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.modified_at < $5::timestamptz and e.event_type = 'update' and (e.modified_at, e.event_id) >= ($8::timestamptz, $7::uuid) order by e.modified_at, e.event_id limit $6::int + 1)),
fitting as materialized (
  select case when sum(866 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $6::int else least($6::int, greatest(1, (
    select count(*) from (
      select sum(866 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.modified_at, e.event_id) as bytes
      from (select e.*, sum(866 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.modified_at, e.event_id) as least_bytes from page e) e
      where e.least_bytes <= 8388608
    ) measured where measured.bytes <= 8388608
  ))) end as records
  from page e
)
select
  string_agg(format('{"change":"%s","changed_at":"%s","event":%s}', case when e.overwritten then 'overwritten' else 'created' end, to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'))), ',' order by e.modified_at, e.event_id) as json,
  count(*)::int as records,
  (select p.event_id from page p order by p.modified_at, p.event_id offset (select f.records from fitting f) limit 1) as next_id, (select p.modified_at from page p order by p.modified_at, p.event_id offset (select f.records from fitting f) limit 1) as next_time
from (
  select p.*, (row_number() over (order by p.modified_at, p.event_id) - 1) / 64 as row_of_page
  from page p order by p.modified_at, p.event_id limit (select f.records from fitting f)
) e
group by e.row_of_page
order by e.row_of_page;
