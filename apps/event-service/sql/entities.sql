  with newest as (
    select e.event_at from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_type <> 'notification' and e.event_type <> 'deactivation' order by e.event_at desc limit 1000 + 1
  ),
  shown as (select min(n.event_at) as since from (select n.event_at from newest n order by n.event_at desc limit 1000) n),
  first_activation as (
    select e.event_at from event e
    where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_type <> 'notification' and e.event_type = 'activation' and e.event_at <= (select h.since from shown h) order by e.event_at desc limit 1
  ),
  step as (
select s.shard_key, s.event_id, s.event_type, s.period, s.article_codes, s.articles_before, s.articles_after,
  s.event_at as began, s.ended, s.ended_by, s.ended_by_type,
  max(s.partner_id) over (partition by s.shard_key, s.period) as partner_id,
  max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) as option82,
  max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by, lead(e.event_type) over timeline as ended_by_type,
      lag(e.sys_attributes -> 'article_codes') over timeline as articles_before,
      lead(e.sys_attributes -> 'article_codes') over timeline as articles_after
    from (select e.* from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_type <> 'notification' and e.event_at >= (select a.event_at from first_activation a)) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation'),
  period as (
    select min(s.began) as began, case when bool_and(s.ended is not null) then max(s.ended) end as ended, max(s.partner_id) as partner_id,
      string_agg(format('{"from":"%s","article_codes":%s%s%s,"event_id":"%s"}', to_char(s.began at time zone 'UTC', case when date_trunc('milliseconds', s.began) = s.began
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), s.article_codes::text, ',"option82":' || to_json(s.option82)::text, ',"partner_reference":' || to_json(s.partner_reference)::text, s.event_id), ',' order by s.began) filter (where s.began >= (select h.since from shown h)) as steps
    from step s group by s.period
  )
  select format('{"entity_id":"%s","state":"%s","since":"%s"%s%s%s%s%s,"last_event_id":"%s","tenant":"%s","created_at":"%s","modified_at":"%s","periods":%s%s}', n.entity_id, n.state, to_char(n.since at time zone 'UTC', case when date_trunc('milliseconds', n.since) = n.since
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"partner_id":"' || case when n.state = 'active' then n.partner_id end || '"', ',"article_codes":' || n.article_codes, ',"option82":' || to_json(case when n.state = 'active' then n.option82 end)::text, ',"partner_reference":' || to_json(case when n.state = 'active' then n.partner_reference end)::text, ',"last_subscription":' || case when n.state = 'inactive' then case when n.partner_id is not null then format('{"partner_id":"%s"%s%s}', n.partner_id, ',"option82":' || to_json(n.option82)::text, ',"partner_reference":' || to_json(n.partner_reference)::text) end end, n.last_event_id, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), '[' || (select coalesce(string_agg(format('{"from":"%s"%s,"partner_id":"%s","steps":%s}', to_char(p.began at time zone 'UTC', case when date_trunc('milliseconds', p.began) = p.began
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"to":"' || to_char(p.ended at time zone 'UTC', case when date_trunc('milliseconds', p.ended) = p.ended
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end) || '"', p.partner_id, '[' || p.steps || ']'), ',' order by p.began), '') from period p) || ']', ',"periods_truncated":' || (select 'true' from newest having count(*) > 1000)) as json
  from (
  select t.entity_id, t.tenant, t.state as state, t.state_since as since, t.partner_id as partner_id, array_to_json(t.article_codes)::text as article_codes, t.option82 as option82, t.partner_reference as partner_reference,
    t.last_event_id, t.created_at, t.modified_at
  from timeline t where t.shard_key = $1 and t.tenant = $2 and t.namespace_id = $3 and t.entity_id = $4 and true) n;

  with newest as (
    select e.event_at from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_type <> 'notification' and e.event_at <= $5::timestamptz and e.event_type <> 'deactivation' order by e.event_at desc limit 1000 + 1
  ),
  shown as (select min(n.event_at) as since from (select n.event_at from newest n order by n.event_at desc limit 1000) n),
  first_activation as (
    select e.event_at from event e
    where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_type <> 'notification' and e.event_at <= $5::timestamptz and e.event_type = 'activation' and e.event_at <= (select h.since from shown h) order by e.event_at desc limit 1
  ),
  step as (
select s.shard_key, s.event_id, s.event_type, s.period, s.article_codes, s.articles_before, s.articles_after,
  s.event_at as began, s.ended, s.ended_by, s.ended_by_type,
  max(s.partner_id) over (partition by s.shard_key, s.period) as partner_id,
  max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) as option82,
  max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by, lead(e.event_type) over timeline as ended_by_type,
      lag(e.sys_attributes -> 'article_codes') over timeline as articles_before,
      lead(e.sys_attributes -> 'article_codes') over timeline as articles_after
    from (select e.* from event e where e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_type <> 'notification' and e.event_at <= $5::timestamptz and e.event_at >= (select a.event_at from first_activation a)) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation'),
  period as (
    select min(s.began) as began, case when bool_and(s.ended is not null) then max(s.ended) end as ended, max(s.partner_id) as partner_id,
      string_agg(format('{"from":"%s","article_codes":%s%s%s,"event_id":"%s"}', to_char(s.began at time zone 'UTC', case when date_trunc('milliseconds', s.began) = s.began
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), s.article_codes::text, ',"option82":' || to_json(s.option82)::text, ',"partner_reference":' || to_json(s.partner_reference)::text, s.event_id), ',' order by s.began) filter (where s.began >= (select h.since from shown h)) as steps
    from step s group by s.period
  )
  select format('{"entity_id":"%s","state":"%s","since":"%s"%s%s%s%s%s,"last_event_id":"%s","tenant":"%s","created_at":"%s","modified_at":"%s","periods":%s%s}', n.entity_id, n.state, to_char(n.since at time zone 'UTC', case when date_trunc('milliseconds', n.since) = n.since
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"partner_id":"' || case when n.state = 'active' then n.partner_id end || '"', ',"article_codes":' || n.article_codes, ',"option82":' || to_json(case when n.state = 'active' then n.option82 end)::text, ',"partner_reference":' || to_json(case when n.state = 'active' then n.partner_reference end)::text, ',"last_subscription":' || case when n.state = 'inactive' then case when n.partner_id is not null then format('{"partner_id":"%s"%s%s}', n.partner_id, ',"option82":' || to_json(n.option82)::text, ',"partner_reference":' || to_json(n.partner_reference)::text) end end, n.last_event_id, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), '[' || (select coalesce(string_agg(format('{"from":"%s"%s,"partner_id":"%s","steps":%s}', to_char(p.began at time zone 'UTC', case when date_trunc('milliseconds', p.began) = p.began
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"to":"' || to_char(p.ended at time zone 'UTC', case when date_trunc('milliseconds', p.ended) = p.ended
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end) || '"', p.partner_id, '[' || p.steps || ']'), ',' order by p.began), '') from period p) || ']', ',"periods_truncated":' || (select 'true' from newest having count(*) > 1000)) as json
  from (
  select t.entity_id, t.tenant, case when (t.lifecycle_at <= $5::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $5::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $5::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $5::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $5::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $5::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
    t.last_event_id, t.created_at, t.modified_at
  from timeline t
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $5::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_at <= $5::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $5::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_at <= $5::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $5::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_at <= $5::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $5::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_at <= $5::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
    left join lateral (
      select e.event_at from event e
      where not ((t.lifecycle_at <= $5::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $1 and e.tenant = $2 and e.namespace_id = $3 and e.entity_id = $4 and e.event_at <= $5::timestamptz and e.event_type = 'notification' and last.event_at is null
      order by e.event_at limit 1
    ) notification on true where t.shard_key = $1 and t.tenant = $2 and t.namespace_id = $3 and t.entity_id = $4 and ((t.lifecycle_at <= $5::timestamptz) is true or coalesce(last.event_at, notification.event_at) is not null)) n;

with record as materialized (
  select n.entity_id, format('{"entity_id":"%s","state":"%s","since":"%s"%s%s%s%s%s,"last_event_id":"%s","tenant":"%s","created_at":"%s","modified_at":"%s"}', n.entity_id, n.state, to_char(n.since at time zone 'UTC', case when date_trunc('milliseconds', n.since) = n.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"partner_id":"' || case when n.state = 'active' then n.partner_id end || '"', ',"article_codes":' || n.article_codes, ',"option82":' || to_json(case when n.state = 'active' then n.option82 end)::text, ',"partner_reference":' || to_json(case when n.state = 'active' then n.partner_reference end)::text, ',"last_subscription":' || case when n.state = 'inactive' then case when n.partner_id is not null then format('{"partner_id":"%s"%s%s}', n.partner_id, ',"option82":' || to_json(n.option82)::text, ',"partner_reference":' || to_json(n.partner_reference)::text) end end, n.last_event_id, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) as json
  from (
select t.entity_id, t.tenant, t.state as state, t.state_since as since, t.partner_id as partner_id, array_to_json(t.article_codes)::text as article_codes, t.option82 as option82, t.partner_reference as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from timeline t where t.tenant = $1 and t.namespace_id = $2  order by t.entity_id limit $3::int + 1) n
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
  select n.entity_id, format('{"entity_id":"%s","state":"%s","since":"%s"%s%s%s%s%s,"last_event_id":"%s","tenant":"%s","created_at":"%s","modified_at":"%s"}', n.entity_id, n.state, to_char(n.since at time zone 'UTC', case when date_trunc('milliseconds', n.since) = n.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"partner_id":"' || case when n.state = 'active' then n.partner_id end || '"', ',"article_codes":' || n.article_codes, ',"option82":' || to_json(case when n.state = 'active' then n.option82 end)::text, ',"partner_reference":' || to_json(case when n.state = 'active' then n.partner_reference end)::text, ',"last_subscription":' || case when n.state = 'inactive' then case when n.partner_id is not null then format('{"partner_id":"%s"%s%s}', n.partner_id, ',"option82":' || to_json(n.option82)::text, ',"partner_reference":' || to_json(n.partner_reference)::text) end end, n.last_event_id, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) as json
  from (
select t.entity_id, t.tenant, t.state as state, t.state_since as since, t.partner_id as partner_id, array_to_json(t.article_codes)::text as article_codes, t.option82 as option82, t.partner_reference as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.entity_id >= $3::uuid order by t.entity_id limit $4::int + 1) n
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

with record as materialized (
  select n.entity_id, format('{"entity_id":"%s","state":"%s","since":"%s"%s%s%s%s%s,"last_event_id":"%s","tenant":"%s","created_at":"%s","modified_at":"%s"}', n.entity_id, n.state, to_char(n.since at time zone 'UTC', case when date_trunc('milliseconds', n.since) = n.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"partner_id":"' || case when n.state = 'active' then n.partner_id end || '"', ',"article_codes":' || n.article_codes, ',"option82":' || to_json(case when n.state = 'active' then n.option82 end)::text, ',"partner_reference":' || to_json(case when n.state = 'active' then n.partner_reference end)::text, ',"last_subscription":' || case when n.state = 'inactive' then case when n.partner_id is not null then format('{"partner_id":"%s"%s%s}', n.partner_id, ',"option82":' || to_json(n.option82)::text, ',"partner_reference":' || to_json(n.partner_reference)::text) end end, n.last_event_id, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) as json
  from (
select t.entity_id, t.tenant, t.state as state, t.state_since as since, t.partner_id as partner_id, array_to_json(t.article_codes)::text as article_codes, t.option82 as option82, t.partner_reference as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.state = 'active' and t.partner_id = $3::uuid  order by t.entity_id limit $4::int + 1) n
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

select t.entity_id from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.entity_id >= $3::uuid and t.state = $4 order by t.entity_id offset 10000 limit 1;

with record as materialized (
  select n.entity_id, format('{"entity_id":"%s","state":"%s","since":"%s"%s%s%s%s%s,"last_event_id":"%s","tenant":"%s","created_at":"%s","modified_at":"%s"}', n.entity_id, n.state, to_char(n.since at time zone 'UTC', case when date_trunc('milliseconds', n.since) = n.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"partner_id":"' || case when n.state = 'active' then n.partner_id end || '"', ',"article_codes":' || n.article_codes, ',"option82":' || to_json(case when n.state = 'active' then n.option82 end)::text, ',"partner_reference":' || to_json(case when n.state = 'active' then n.partner_reference end)::text, ',"last_subscription":' || case when n.state = 'inactive' then case when n.partner_id is not null then format('{"partner_id":"%s"%s%s}', n.partner_id, ',"option82":' || to_json(n.option82)::text, ',"partner_reference":' || to_json(n.partner_reference)::text) end end, n.last_event_id, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) as json
  from (
select t.entity_id, t.tenant, t.state as state, t.state_since as since, t.partner_id as partner_id, array_to_json(t.article_codes)::text as article_codes, t.option82 as option82, t.partner_reference as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.state = $3 and $4 = any(t.article_codes) and t.entity_id >= $5::uuid order by t.entity_id limit $6::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id
from (
  select r.*, r.place <= $6::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.entity_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

select count(*)::int as total from (select 1 from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.state = $3 and t.entity_id >= $4::uuid and $5 = any(t.article_codes) limit 10000 + 1) counted;

select t.entity_id from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.entity_id >= $3::uuid order by t.entity_id offset 10000 limit 1;

with record as materialized (
  select n.entity_id, format('{"entity_id":"%s","state":"%s","since":"%s"%s%s%s%s%s,"last_event_id":"%s","tenant":"%s","created_at":"%s","modified_at":"%s"}', n.entity_id, n.state, to_char(n.since at time zone 'UTC', case when date_trunc('milliseconds', n.since) = n.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), ',"partner_id":"' || case when n.state = 'active' then n.partner_id end || '"', ',"article_codes":' || n.article_codes, ',"option82":' || to_json(case when n.state = 'active' then n.option82 end)::text, ',"partner_reference":' || to_json(case when n.state = 'active' then n.partner_reference end)::text, ',"last_subscription":' || case when n.state = 'inactive' then case when n.partner_id is not null then format('{"partner_id":"%s"%s%s}', n.partner_id, ',"option82":' || to_json(n.option82)::text, ',"partner_reference":' || to_json(n.partner_reference)::text) end end, n.last_event_id, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) as json
  from (
select t.entity_id, t.tenant, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $1::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $1::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from timeline t
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  left join lateral (
    select e.event_at from event e
    where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type = 'notification' and last.event_at is null
    order by e.event_at limit 1
  ) notification on true where t.tenant = $2 and t.namespace_id = $3 and ((t.lifecycle_at <= $1::timestamptz) is true or coalesce(last.event_at, notification.event_at) is not null) and t.entity_id >= $4::uuid order by t.entity_id limit $5::int + 1) n
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

select count(*)::int as total from (select 1 from timeline t
      left join lateral (
        select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
      ) last on true
      left join lateral (
        select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
      ) activation on true
      left join lateral (
        select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_option82 on true
      left join lateral (
        select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_partner_reference on true
      left join lateral (
        select e.event_at from event e
        where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= $1::timestamptz and e.event_type = 'notification' and last.event_at is null
        order by e.event_at limit 1
      ) notification on true where t.tenant = $2 and t.namespace_id = $3 and t.entity_id >= $4::uuid and ((t.lifecycle_at <= $1::timestamptz) is true or coalesce(last.event_at, notification.event_at) is not null) limit 10000 + 1) counted;

delete from refused_event r
where r.tenant = $1 and r.namespace_id = $2::uuid and r.entity_id = $3::uuid;

select e.found
    from erase_entity($1::smallint, $2::text, $3::uuid, $4::uuid, $5::boolean, $6::timestamptz, $7::text) e (found);

select t.shard_key as "shardKey", t.tenant, t.namespace_id as "namespaceId", t.entity_id as "entityId"
from timeline t where t.state = 'inactive' and not t.erased and t.state_since < $1
order by t.state_since limit 10000;
