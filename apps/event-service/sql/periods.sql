  with found as materialized (
    select t.entity_id, p.n, format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(greatest(p.began, $1) at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, $1)) = greatest(p.began, $1)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(coalesce(p.ended, $2) at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, $2)) = coalesce(p.ended, $2)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || case when p.began >= $1 then p.event_id end || '"', ',"ends":"' || p.ended_by || '"', (p.ended is null)::text) as json
    from timeline t
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.created_at <= $5 and e.event_at <= $1 and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.created_at <= $5 and e.event_at <= $1 and e.event_type = 'activation' and last.event_type <> 'deactivation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.created_at <= $5 and e.event_at <= $1 and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.created_at <= $5 and e.event_at <= $1 and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
  cross join lateral (
    select s.*, row_number() over (partition by s.shard_key order by s.began)::int as n
    from (
select s.shard_key, s.event_id, s.period, s.article_codes, s.event_at as began, s.ended, s.ended_by,
  case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
  case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
  case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by
    from (
        select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.created_at <= $5 and e.event_type <> 'notification'
          and e.event_at >= coalesce(last.event_at, $1) and e.event_at < $2) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation') s
    where (s.ended is null or s.ended > $1)
  ) p
    where t.tenant = $3 and t.namespace_id = $4 and (
    t.lifecycle_version is distinct from t.version or coalesce(t.modified_at > $5, true) or t.lifecycle_at > $1
    or (t.state = 'active')
  ) and true order by entity_id, n limit $6::int + 1)
  select f.entity_id, f.n, case when f.place <= $6::int and (f.place = 1 or f.bytes <= 8388608) then f.json end as json
  from (
    select f.*, row_number() over page as place, sum(octet_length(f.json) + 1) over page as bytes
    from found f window page as (order by f.entity_id, f.n)
  ) f
  order by f.place;

  with found as materialized (
    select t.entity_id, p.n, format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(greatest(p.began, $1) at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, $1)) = greatest(p.began, $1)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(coalesce(p.ended, $2) at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, $2)) = coalesce(p.ended, $2)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || case when p.began >= $1 then p.event_id end || '"', ',"ends":"' || p.ended_by || '"', (p.ended is null)::text) as json
    from timeline t
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.entity_id = $5 and e.shard_key = $6 and e.created_at <= $7 and e.event_at <= $1 and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.entity_id = $5 and e.shard_key = $6 and e.created_at <= $7 and e.event_at <= $1 and e.event_type = 'activation' and last.event_type <> 'deactivation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.entity_id = $5 and e.shard_key = $6 and e.created_at <= $7 and e.event_at <= $1 and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.entity_id = $5 and e.shard_key = $6 and e.created_at <= $7 and e.event_at <= $1 and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
  cross join lateral (
    select s.*, row_number() over (partition by s.shard_key order by s.began)::int as n
    from (
select s.shard_key, s.event_id, s.period, s.article_codes, s.event_at as began, s.ended, s.ended_by,
  case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
  case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
  case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by
    from (
        select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $3 and e.namespace_id = $4 and e.entity_id = $5 and e.shard_key = $6 and e.created_at <= $7 and e.event_type <> 'notification'
          and e.event_at >= coalesce(last.event_at, $1) and e.event_at < $2) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation') s
    where (s.ended is null or s.ended > $1) and s.partner_id = $8 and $9 in (select json_array_elements_text(s.article_codes))
  ) p
    where t.tenant = $3 and t.namespace_id = $4 and t.entity_id = $5 and t.shard_key = $6 and (
    t.lifecycle_version is distinct from t.version or coalesce(t.modified_at > $7, true) or t.lifecycle_at > $1
    or (t.state = 'active' and t.partner_id::text = $8 and $9 = any(t.article_codes))
  ) and true order by entity_id, n limit $10::int + 1)
  select f.entity_id, f.n, case when f.place <= $10::int and (f.place = 1 or f.bytes <= 8388608) then f.json end as json
  from (
    select f.*, row_number() over page as place, sum(octet_length(f.json) + 1) over page as bytes
    from found f window page as (order by f.entity_id, f.n)
  ) f
  order by f.place;

  with found as materialized (
    select t.entity_id, 1 as n, format('{"entity_id":"%s","before":%s,"after":%s%s}', t.entity_id, before.shown, after.shown, ',"truncated":' || case when greatest(before.count, after.count) > 1000 then 'true' end) as json
    from (
    select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e
    where e.tenant = $1 and e.namespace_id = $2 and e.event_id >= $3 and e.created_at > $4 and e.created_at <= $5
      and e.event_type <> 'notification' and e.event_at < $6
    order by e.entity_id
  ) t
    cross join lateral (
      select
        '[' || coalesce(string_agg(format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(greatest(p.began, $7) at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, $7)) = greatest(p.began, $7)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(coalesce(p.ended, $6) at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, $6)) = coalesce(p.ended, $6)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || case when p.began >= $7 then p.event_id end || '"', ',"ends":"' || p.ended_by || '"', (p.ended is null)::text), ',' order by p.n) filter (where p.n <= 1000), '') || ']' as shown,
        string_agg(format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(greatest(p.began, $7) at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, $7)) = greatest(p.began, $7)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(coalesce(p.ended, $6) at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, $6)) = coalesce(p.ended, $6)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || case when p.began >= $7 then p.event_id end || '"', ',"ends":"' || p.ended_by || '"', (p.ended is null)::text), ',' order by p.n) as steps, max(p.n) as count
      from (select o.* from timeline o where o.shard_key = t.shard_key and o.tenant = t.tenant and o.namespace_id = t.namespace_id and o.entity_id = t.entity_id and o.tenant = $1 and o.namespace_id = $2) t
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $4 and e.event_at <= $7 and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $4 and e.event_at <= $7 and e.event_type = 'activation' and last.event_type <> 'deactivation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $4 and e.event_at <= $7 and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $4 and e.event_at <= $7 and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
  cross join lateral (
    select s.*, row_number() over (partition by s.shard_key order by s.began)::int as n
    from (
select s.shard_key, s.event_id, s.period, s.article_codes, s.event_at as began, s.ended, s.ended_by,
  case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
  case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
  case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by
    from (
        select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $4 and e.event_type <> 'notification'
          and e.event_at >= coalesce(last.event_at, $7) and e.event_at < $6) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation') s
    where (s.ended is null or s.ended > $7)
  ) p
    ) before
    cross join lateral (
      select
        '[' || coalesce(string_agg(format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(greatest(p.began, $7) at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, $7)) = greatest(p.began, $7)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(coalesce(p.ended, $6) at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, $6)) = coalesce(p.ended, $6)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || case when p.began >= $7 then p.event_id end || '"', ',"ends":"' || p.ended_by || '"', (p.ended is null)::text), ',' order by p.n) filter (where p.n <= 1000), '') || ']' as shown,
        string_agg(format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(greatest(p.began, $7) at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, $7)) = greatest(p.began, $7)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(coalesce(p.ended, $6) at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, $6)) = coalesce(p.ended, $6)
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || case when p.began >= $7 then p.event_id end || '"', ',"ends":"' || p.ended_by || '"', (p.ended is null)::text), ',' order by p.n) as steps, max(p.n) as count
      from (select o.* from timeline o where o.shard_key = t.shard_key and o.tenant = t.tenant and o.namespace_id = t.namespace_id and o.entity_id = t.entity_id and o.tenant = $1 and o.namespace_id = $2) t
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $5 and e.event_at <= $7 and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $5 and e.event_at <= $7 and e.event_type = 'activation' and last.event_type <> 'deactivation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $5 and e.event_at <= $7 and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $5 and e.event_at <= $7 and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
  cross join lateral (
    select s.*, row_number() over (partition by s.shard_key order by s.began)::int as n
    from (
select s.shard_key, s.event_id, s.period, s.article_codes, s.event_at as began, s.ended, s.ended_by,
  case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
  case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
  case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by
    from (
        select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $5 and e.event_type <> 'notification'
          and e.event_at >= coalesce(last.event_at, $7) and e.event_at < $6) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation') s
    where (s.ended is null or s.ended > $7)
  ) p
    ) after
    where t.tenant = $1 and t.namespace_id = $2 and true and before.steps is distinct from after.steps order by entity_id, n limit $8::int + 1)
  select f.entity_id, f.n, case when f.place <= $8::int and (f.place = 1 or f.bytes <= 8388608) then f.json end as json
  from (
    select f.*, row_number() over page as place, sum(octet_length(f.json) + 1) over page as bytes
    from found f window page as (order by f.entity_id, f.n)
  ) f
  order by f.place;

copy (
    select t.entity_id as "entity_id", p.partner_id as "partner_id", to_char(greatest(p.began, '...') at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, '...')) = greatest(p.began, '...')
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end) as "from", to_char(coalesce(p.ended, '...') at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, '...')) = coalesce(p.ended, '...')
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end) as "to", a.article_code, p.option82 as "option82", p.partner_reference as "partner_reference", case when p.began >= '...' then p.event_id end as "begins", p.ended_by as "ends", (p.ended is null)::text as "runs_on"
    from timeline t
      left join lateral (
        select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type <> 'notification' order by e.event_at desc limit 1
      ) last on true
      left join lateral (
        select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type = 'activation' and last.event_type <> 'deactivation' order by e.event_at desc limit 1
      ) activation on true
      left join lateral (
        select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_option82 on true
      left join lateral (
        select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_partner_reference on true
    cross join lateral (
      select s.*, row_number() over (partition by s.shard_key order by s.began)::int as n
      from (
  select s.shard_key, s.event_id, s.period, s.article_codes, s.event_at as began, s.ended, s.ended_by,
    case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
    case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
    case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
  from (
    select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
    from (
      select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
        e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
        count(*) filter (where e.event_type = 'activation') over timeline as period,
        lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by
      from (
          select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_type <> 'notification'
            and e.event_at >= coalesce(last.event_at, '...') and e.event_at < '...') e
      window timeline as (partition by e.shard_key order by e.event_at)
    ) l
  ) s
  where s.event_type <> 'deactivation') s
      where (s.ended is null or s.ended > '...')
    ) p
    cross join lateral json_array_elements_text(p.article_codes) with ordinality a (article_code, place)
    where t.tenant = 'ano.test' and t.namespace_id = '...' and (
      t.lifecycle_version is distinct from t.version or coalesce(t.modified_at > '...', true) or t.lifecycle_at > '...'
      or (t.state = 'active')
    ) order by t.entity_id, p.n, a.place) to stdout (format csv, header);

copy (select r.json from (
      select t.entity_id, p.n, format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(greatest(p.began, '...') at time zone 'UTC', case when date_trunc('milliseconds', greatest(p.began, '...')) = greatest(p.began, '...')
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(coalesce(p.ended, '...') at time zone 'UTC', case when date_trunc('milliseconds', coalesce(p.ended, '...')) = coalesce(p.ended, '...')
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || case when p.began >= '...' then p.event_id end || '"', ',"ends":"' || p.ended_by || '"', (p.ended is null)::text) as json
      from timeline t
      left join lateral (
        select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type <> 'notification' order by e.event_at desc limit 1
      ) last on true
      left join lateral (
        select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type = 'activation' and last.event_type <> 'deactivation' order by e.event_at desc limit 1
      ) activation on true
      left join lateral (
        select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_option82 on true
      left join lateral (
        select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_at <= '...' and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_partner_reference on true
    cross join lateral (
      select s.*, row_number() over (partition by s.shard_key order by s.began)::int as n
      from (
  select s.shard_key, s.event_id, s.period, s.article_codes, s.event_at as began, s.ended, s.ended_by,
    case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
    case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
    case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
  from (
    select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
    from (
      select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
        e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
        count(*) filter (where e.event_type = 'activation') over timeline as period,
        lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by
      from (
          select e.* from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.test' and e.namespace_id = '...' and e.created_at <= '...' and e.event_type <> 'notification'
            and e.event_at >= coalesce(last.event_at, '...') and e.event_at < '...') e
      window timeline as (partition by e.shard_key order by e.event_at)
    ) l
  ) s
  where s.event_type <> 'deactivation') s
      where (s.ended is null or s.ended > '...')
    ) p
      where t.tenant = 'ano.test' and t.namespace_id = '...' and (
      t.lifecycle_version is distinct from t.version or coalesce(t.modified_at > '...', true) or t.lifecycle_at > '...'
      or (t.state = 'active')
    ) and true) r order by r.entity_id, r.n) to stdout (format csv, quote E'\x01', delimiter E'\x02');
