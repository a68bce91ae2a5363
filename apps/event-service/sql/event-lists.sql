with page as materialized ((select e.* from event e where e.tenant = $1 and e.namespace_id = $2  order by e.event_id limit $3::int + 1)),
fitting as materialized (
  select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $3::int else least($3::int, greatest(1, (
    select count(*) from (
      select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.event_id) as bytes
      from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.event_id) as least_bytes from page e) e
      where e.least_bytes <= 8388608
    ) measured where measured.bytes <= 8388608
  ))) end as records
  from page e
)
select
  string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.event_id) as json,
  count(*)::int as records,
  (select p.event_id from page p order by p.event_id offset (select f.records from fitting f) limit 1) as next_id
from (
  select p.*, (row_number() over (order by p.event_id) - 1) / 64 as row_of_page
  from page p order by p.event_id limit (select f.records from fitting f)
) e
group by e.row_of_page
order by e.row_of_page;

select count(*)::int as total from (select 1 from event e where e.tenant = $1 and e.namespace_id = $2 limit $3::int) counted;

with page as materialized ((select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_id >= $4::uuid order by e.event_id limit $3::int + 1)),
fitting as materialized (
  select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $3::int else least($3::int, greatest(1, (
    select count(*) from (
      select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.event_id) as bytes
      from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.event_id) as least_bytes from page e) e
      where e.least_bytes <= 8388608
    ) measured where measured.bytes <= 8388608
  ))) end as records
  from page e
)
select
  string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.event_id) as json,
  count(*)::int as records,
  (select p.event_id from page p order by p.event_id offset (select f.records from fitting f) limit 1) as next_id
from (
  select p.*, (row_number() over (order by p.event_id) - 1) / 64 as row_of_page
  from page p order by p.event_id limit (select f.records from fitting f)
) e
group by e.row_of_page
order by e.row_of_page;

with page as materialized ((select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid  order by e.event_id limit $5::int + 1)),
fitting as materialized (
  select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $5::int else least($5::int, greatest(1, (
    select count(*) from (
      select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.event_id) as bytes
      from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.event_id) as least_bytes from page e) e
      where e.least_bytes <= 8388608
    ) measured where measured.bytes <= 8388608
  ))) end as records
  from page e
)
select
  string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.event_id) as json,
  count(*)::int as records,
  (select p.event_id from page p order by p.event_id offset (select f.records from fitting f) limit 1) as next_id
from (
  select p.*, (row_number() over (order by p.event_id) - 1) / 64 as row_of_page
  from page p order by p.event_id limit (select f.records from fitting f)
) e
group by e.row_of_page
order by e.row_of_page;

with page as materialized ((select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and not e.overwritten  order by e.event_id limit $3::int + 1)),
fitting as materialized (
  select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $3::int else least($3::int, greatest(1, (
    select count(*) from (
      select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.event_id) as bytes
      from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.event_id) as least_bytes from page e) e
      where e.least_bytes <= 8388608
    ) measured where measured.bytes <= 8388608
  ))) end as records
  from page e
)
select
  string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.event_id) as json,
  count(*)::int as records,
  (select p.event_id from page p order by p.event_id offset (select f.records from fitting f) limit 1) as next_id
from (
  select p.*, (row_number() over (order by p.event_id) - 1) / 64 as row_of_page
  from page p order by p.event_id limit (select f.records from fitting f)
) e
group by e.row_of_page
order by e.row_of_page;

with page as materialized ((select e.* from event e join timeline t on e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and t.tenant = $1 and t.namespace_id = $2 where e.tenant = $1 and e.namespace_id = $2 and e.event_at <= case e.event_type when 'notification' then $3::timestamptz else t.deactivated_at end  order by e.event_id limit $4::int + 1)),
fitting as materialized (
  select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $4::int else least($4::int, greatest(1, (
    select count(*) from (
      select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.event_id) as bytes
      from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.event_id) as least_bytes from page e) e
      where e.least_bytes <= 8388608
    ) measured where measured.bytes <= 8388608
  ))) end as records
  from page e
)
select
  string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.event_id) as json,
  count(*)::int as records,
  (select p.event_id from page p order by p.event_id offset (select f.records from fitting f) limit 1) as next_id
from (
  select p.*, (row_number() over (order by p.event_id) - 1) / 64 as row_of_page
  from page p order by p.event_id limit (select f.records from fitting f)
) e
group by e.row_of_page
order by e.row_of_page;

with page as materialized (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.event_id in (select i.event_id from (select i.event_id from (select d::date as day from generate_series($5::date, $6::date, interval '1 day') d) day cross join lateral (select e.event_id from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.event_id >= $8::uuid and e.modified_at >= $7::timestamptz and e.event_date >= $5::date and e.event_date <= $6::date and e.event_date = day.day  order by e.event_id limit $9::int + 1) i union all select i.event_id from (select d::date as day from generate_series($5::date, $6::date, interval '1 day') d) day cross join lateral (select e.event_id from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.event_id < $8::uuid and e.modified_at >= $7::timestamptz and e.overwritten and e.event_date >= $5::date and e.event_date <= $6::date and e.event_date = day.day  order by e.event_id limit $9::int + 1) i) i order by i.event_id limit $9::int + 1) order by e.event_id limit $9::int + 1),
fitting as materialized (
  select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $9::int else least($9::int, greatest(1, (
    select count(*) from (
      select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.event_id) as bytes
      from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.event_id) as least_bytes from page e) e
      where e.least_bytes <= 8388608
    ) measured where measured.bytes <= 8388608
  ))) end as records
  from page e
)
select
  string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.event_id) as json,
  count(*)::int as records,
  (select p.event_id from page p order by p.event_id offset (select f.records from fitting f) limit 1) as next_id
from (
  select p.*, (row_number() over (order by p.event_id) - 1) / 64 as row_of_page
  from page p order by p.event_id limit (select f.records from fitting f)
) e
group by e.row_of_page
order by e.row_of_page;

  with page as materialized (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.sequence = t.version limit 1) e
where t.tenant = $1 and t.namespace_id = $2
order by t.entity_id limit $3::int + 1),
  fitting as materialized (
    select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $3::int else least($3::int, greatest(1, (
      select count(*) from (
        select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.entity_id) as bytes
        from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.entity_id) as least_bytes from page e) e
        where e.least_bytes <= 8388608
      ) measured where measured.bytes <= 8388608
    ))) end as records
    from page e
  )
  select
    string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.entity_id) as json,
    count(*)::int as records,
    (select p.entity_id from page p order by p.entity_id offset (select f.records from fitting f) limit 1) as next_id
  from (
    select p.*, (row_number() over (order by p.entity_id) - 1) / 64 as row_of_page
    from page p order by p.entity_id limit (select f.records from fitting f)
  ) e
  group by e.row_of_page
  order by e.row_of_page;

select count(*)::int as total from (select 1 from timeline t where t.tenant = $1 and t.namespace_id = $2 limit $3::int) counted;

  with page as materialized (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.sequence = t.version limit 1) e
where t.tenant = $1 and t.namespace_id = $2 and t.entity_id >= $4::uuid
order by t.entity_id limit $3::int + 1),
  fitting as materialized (
    select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $3::int else least($3::int, greatest(1, (
      select count(*) from (
        select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.entity_id) as bytes
        from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.entity_id) as least_bytes from page e) e
        where e.least_bytes <= 8388608
      ) measured where measured.bytes <= 8388608
    ))) end as records
    from page e
  )
  select
    string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.entity_id) as json,
    count(*)::int as records,
    (select p.entity_id from page p order by p.entity_id offset (select f.records from fitting f) limit 1) as next_id
  from (
    select p.*, (row_number() over (order by p.entity_id) - 1) / 64 as row_of_page
    from page p order by p.entity_id limit (select f.records from fitting f)
  ) e
  group by e.row_of_page
  order by e.row_of_page;

explain (format json) select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid;

  with page as materialized (
select distinct on (e.entity_id) e.* from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid offset 0) e

order by e.entity_id, e.sequence desc limit $5::int + 1),
  fitting as materialized (
    select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $5::int else least($5::int, greatest(1, (
      select count(*) from (
        select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.entity_id) as bytes
        from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.entity_id) as least_bytes from page e) e
        where e.least_bytes <= 8388608
      ) measured where measured.bytes <= 8388608
    ))) end as records
    from page e
  )
  select
    string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.entity_id) as json,
    count(*)::int as records,
    (select p.entity_id from page p order by p.entity_id offset (select f.records from fitting f) limit 1) as next_id
  from (
    select p.*, (row_number() over (order by p.entity_id) - 1) / 64 as row_of_page
    from page p order by p.entity_id limit (select f.records from fitting f)
  ) e
  group by e.row_of_page
  order by e.row_of_page;

  with page as materialized (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and not e.overwritten order by e.sequence desc limit 1) e
where t.tenant = $1 and t.namespace_id = $2
order by t.entity_id limit $3::int + 1),
  fitting as materialized (
    select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $3::int else least($3::int, greatest(1, (
      select count(*) from (
        select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.entity_id) as bytes
        from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.entity_id) as least_bytes from page e) e
        where e.least_bytes <= 8388608
      ) measured where measured.bytes <= 8388608
    ))) end as records
    from page e
  )
  select
    string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.entity_id) as json,
    count(*)::int as records,
    (select p.entity_id from page p order by p.entity_id offset (select f.records from fitting f) limit 1) as next_id
  from (
    select p.*, (row_number() over (order by p.entity_id) - 1) / 64 as row_of_page
    from page p order by p.entity_id limit (select f.records from fitting f)
  ) e
  group by e.row_of_page
  order by e.row_of_page;

  with page as materialized (
select e.* from timeline t cross join lateral (select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.event_at <= case e.event_type when 'notification' then $3::timestamptz else t.deactivated_at end order by e.sequence desc limit 1) e
where t.tenant = $1 and t.namespace_id = $2
order by t.entity_id limit $4::int + 1),
  fitting as materialized (
    select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $4::int else least($4::int, greatest(1, (
      select count(*) from (
        select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.entity_id) as bytes
        from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.entity_id) as least_bytes from page e) e
        where e.least_bytes <= 8388608
      ) measured where measured.bytes <= 8388608
    ))) end as records
    from page e
  )
  select
    string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.entity_id) as json,
    count(*)::int as records,
    (select p.entity_id from page p order by p.entity_id offset (select f.records from fitting f) limit 1) as next_id
  from (
    select p.*, (row_number() over (order by p.entity_id) - 1) / 64 as row_of_page
    from page p order by p.entity_id limit (select f.records from fitting f)
  ) e
  group by e.row_of_page
  order by e.row_of_page;

explain (format json) select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.event_id >= $8::uuid and e.modified_at >= $7::timestamptz and e.event_date >= $5::date and e.event_date <= $6::date union all select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.event_id < $8::uuid and e.modified_at >= $7::timestamptz and e.overwritten and e.event_date >= $5::date and e.event_date <= $6::date;

  with page as materialized (
select distinct on (e.entity_id) e.* from (select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.event_id >= $8::uuid and e.modified_at >= $7::timestamptz and e.event_date >= $5::date and e.event_date <= $6::date union all select e.* from event e where e.tenant = $1 and e.namespace_id = $2 and e.entity_id = $3 and e.shard_key = $4 and e.event_id < $8::uuid and e.modified_at >= $7::timestamptz and e.overwritten and e.event_date >= $5::date and e.event_date <= $6::date offset 0) e

order by e.entity_id, e.sequence desc limit $9::int + 1),
  fitting as materialized (
    select case when sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(6 * octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(6 * octet_length(e.comment), 0)) <= 8388608 then $9::int else least($9::int, greatest(1, (
      select count(*) from (
        select sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(to_json(e.usr_reference)::text), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(to_json(e.comment)::text), 0)) over (order by e.entity_id) as bytes
        from (select e.*, sum(710 + coalesce(octet_length(e.sys_attributes::text), 0) + coalesce(octet_length(e.usr_reference), 0) + coalesce(octet_length(e.usr_attributes::text), 0) + coalesce(octet_length(e.comment), 0)) over (order by e.entity_id) as least_bytes from page e) e
        where e.least_bytes <= 8388608
      ) measured where measured.bytes <= 8388608
    ))) end as records
    from page e
  )
  select
    string_agg(format('{"event_id":"%s","entity_id":"%s","event_type":"%s","event_at":"%s","event_timezone":"%s"%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', e.event_id, e.entity_id, e.event_type, to_char(e.event_at at time zone 'UTC', case when date_trunc('milliseconds', e.event_at) = e.event_at
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), e.event_timezone, ',"sys_attributes":' || e.sys_attributes::text, ',"usr_reference":' || to_json(e.usr_reference)::text, ',"usr_attributes":' || e.usr_attributes::text, ',"comment":' || to_json(e.comment)::text, e.tenant, to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(e.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')), ',' order by e.entity_id) as json,
    count(*)::int as records,
    (select p.entity_id from page p order by p.entity_id offset (select f.records from fitting f) limit 1) as next_id
  from (
    select p.*, (row_number() over (order by p.entity_id) - 1) / 64 as row_of_page
    from page p order by p.entity_id limit (select f.records from fitting f)
  ) e
  group by e.row_of_page
  order by e.row_of_page;
