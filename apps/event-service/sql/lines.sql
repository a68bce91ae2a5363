select w.entity_id from ((select distinct e.entity_id from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $3::uuid and e.event_at <= $4::timestamptz order by e.entity_id offset $5 limit 1) union all (select distinct e.entity_id from event e where e.tenant = $6 and e.namespace_id = $7 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $8::uuid and e.event_at <= $9::timestamptz order by e.entity_id offset $10 limit 1)) w order by w.entity_id limit 1;

with record as materialized (
  select l.entity_id, l.tenant, format('{"line_id":"%s","tenant":"%s","entity_id":"%s","partner_id":"%s","since":"%s","article_codes":%s%s%s}', overlay(overlay(md5(l.tenant || ' ' || l.partner_id::text || ' ' || l.entity_id::text) placing '8' from 13) placing '8' from 17)::uuid, l.tenant, l.entity_id, l.partner_id, to_char(l.since at time zone 'UTC', case when date_trunc('milliseconds', l.since) = l.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), l.article_codes, ',"option82":' || to_json(l.option82)::text, ',"partner_reference":' || to_json(l.partner_reference)::text) as json
  from (
  select l.* from ((
select t.entity_id, t.tenant, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $1::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $1::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from (
  select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = $2 and e.namespace_id = $3 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $4::uuid and e.event_at <= $5::timestamptz
) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  left join lateral (
    select e.event_at from event e
    where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type = 'notification' and last.event_at is null
    order by e.event_at limit 1
  ) notification on true where t.tenant = $6 and t.namespace_id = $7 and case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $8::uuid) union all (
select t.entity_id, t.tenant, case when (t.lifecycle_at <= $9::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $9::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $9::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $9::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $9::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $9::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from (
  select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = $10 and e.namespace_id = $11 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $12::uuid and e.event_at <= $13::timestamptz
) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  left join lateral (
    select e.event_at from event e
    where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type = 'notification' and last.event_at is null
    order by e.event_at limit 1
  ) notification on true where t.tenant = $14 and t.namespace_id = $15 and case when (t.lifecycle_at <= $9::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $9::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $16::uuid)) l
  order by l.entity_id, l.tenant limit $17::int + 1) l
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id, (array_agg(r.tenant order by r.place) filter (where not r.fits))[1] as next_tenant
from (
  select r.*, r.place <= $17::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.entity_id, r.tenant)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

select count(*)::int as total from ((
    select t.entity_id, t.tenant, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $1::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $1::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
      t.last_event_id, t.created_at, t.modified_at
    from (
      select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = $2 and e.namespace_id = $3 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $4::uuid and e.event_at <= $5::timestamptz
    ) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
      left join lateral (
        select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
      ) last on true
      left join lateral (
        select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
      ) activation on true
      left join lateral (
        select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_option82 on true
      left join lateral (
        select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_partner_reference on true
      left join lateral (
        select e.event_at from event e
        where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type = 'notification' and last.event_at is null
        order by e.event_at limit 1
      ) notification on true where t.tenant = $6 and t.namespace_id = $7 and case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $8::uuid) union all (
    select t.entity_id, t.tenant, case when (t.lifecycle_at <= $9::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $9::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $9::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $9::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $9::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $9::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
      t.last_event_id, t.created_at, t.modified_at
    from (
      select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = $10 and e.namespace_id = $11 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $12::uuid and e.event_at <= $13::timestamptz
    ) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
      left join lateral (
        select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
      ) last on true
      left join lateral (
        select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
      ) activation on true
      left join lateral (
        select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_option82 on true
      left join lateral (
        select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_partner_reference on true
      left join lateral (
        select e.event_at from event e
        where not ((t.lifecycle_at <= $9::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $14 and e.namespace_id = $15 and e.event_at <= $9::timestamptz and e.event_type = 'notification' and last.event_at is null
        order by e.event_at limit 1
      ) notification on true where t.tenant = $14 and t.namespace_id = $15 and case when (t.lifecycle_at <= $9::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $9::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $16::uuid) limit 10000 + 1) counted;

select count(*)::int as total from ((select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $3::uuid and e.event_at <= $4::timestamptz) union all (select 1 from event e where e.tenant = $5 and e.namespace_id = $6 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $7::uuid and e.event_at <= $8::timestamptz) limit 10000 + 1) counted;

select w.entity_id from ((select distinct e.entity_id from event e where e.tenant = $1 and e.namespace_id = $2 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $3::uuid and e.event_at <= $4::timestamptz and e.entity_id >= $5::uuid order by e.entity_id offset $6 limit 1) union all (select distinct e.entity_id from event e where e.tenant = $7 and e.namespace_id = $8 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $9::uuid and e.event_at <= $10::timestamptz and e.entity_id >= $11::uuid order by e.entity_id offset $12 limit 1)) w order by w.entity_id limit 1;

with record as materialized (
  select l.entity_id, l.tenant, format('{"line_id":"%s","tenant":"%s","entity_id":"%s","partner_id":"%s","since":"%s","article_codes":%s%s%s}', overlay(overlay(md5(l.tenant || ' ' || l.partner_id::text || ' ' || l.entity_id::text) placing '8' from 13) placing '8' from 17)::uuid, l.tenant, l.entity_id, l.partner_id, to_char(l.since at time zone 'UTC', case when date_trunc('milliseconds', l.since) = l.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), l.article_codes, ',"option82":' || to_json(l.option82)::text, ',"partner_reference":' || to_json(l.partner_reference)::text) as json
  from (
  select l.* from ((
select t.entity_id, t.tenant, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $1::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $1::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from (
  select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = $2 and e.namespace_id = $3 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $4::uuid and e.event_at <= $5::timestamptz and e.entity_id >= $6::uuid
) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $7 and e.namespace_id = $8 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $7 and e.namespace_id = $8 and e.event_at <= $1::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $7 and e.namespace_id = $8 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $7 and e.namespace_id = $8 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  left join lateral (
    select e.event_at from event e
    where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $7 and e.namespace_id = $8 and e.event_at <= $1::timestamptz and e.event_type = 'notification' and last.event_at is null
    order by e.event_at limit 1
  ) notification on true where t.tenant = $7 and t.namespace_id = $8 and case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $9::uuid) union all (
select t.entity_id, t.tenant, case when (t.lifecycle_at <= $10::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $10::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $10::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $10::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $10::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $10::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from (
  select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = $11 and e.namespace_id = $12 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $13::uuid and e.event_at <= $14::timestamptz and e.entity_id >= $15::uuid
) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $10::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $16 and e.namespace_id = $17 and e.event_at <= $10::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $10::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $16 and e.namespace_id = $17 and e.event_at <= $10::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $10::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $16 and e.namespace_id = $17 and e.event_at <= $10::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $10::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $16 and e.namespace_id = $17 and e.event_at <= $10::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  left join lateral (
    select e.event_at from event e
    where not ((t.lifecycle_at <= $10::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $16 and e.namespace_id = $17 and e.event_at <= $10::timestamptz and e.event_type = 'notification' and last.event_at is null
    order by e.event_at limit 1
  ) notification on true where t.tenant = $16 and t.namespace_id = $17 and case when (t.lifecycle_at <= $10::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $10::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $18::uuid)) l where (l.entity_id, l.tenant) >= ($19::uuid, $20::text)
  order by l.entity_id, l.tenant limit $21::int + 1) l
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id, (array_agg(r.tenant order by r.place) filter (where not r.fits))[1] as next_tenant
from (
  select r.*, r.place <= $21::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.entity_id, r.tenant)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select l.entity_id, l.tenant, format('{"line_id":"%s","tenant":"%s","entity_id":"%s","partner_id":"%s","since":"%s","article_codes":%s%s%s}', overlay(overlay(md5(l.tenant || ' ' || l.partner_id::text || ' ' || l.entity_id::text) placing '8' from 13) placing '8' from 17)::uuid, l.tenant, l.entity_id, l.partner_id, to_char(l.since at time zone 'UTC', case when date_trunc('milliseconds', l.since) = l.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), l.article_codes, ',"option82":' || to_json(l.option82)::text, ',"partner_reference":' || to_json(l.partner_reference)::text) as json
  from (
  select l.* from ((
select t.entity_id, t.tenant, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $1::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $1::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from (
  select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = $2 and e.namespace_id = $3 and e.event_type <> 'notification' and lower((e.sys_attributes ->> 'option82') collate "C") = lower($4 collate "C") and (e.sys_attributes ->> 'option82') = $4 and e.event_at <= $5::timestamptz
) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  left join lateral (
    select e.event_at from event e
    where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $6 and e.namespace_id = $7 and e.event_at <= $1::timestamptz and e.event_type = 'notification' and last.event_at is null
    order by e.event_at limit 1
  ) notification on true where t.tenant = $6 and t.namespace_id = $7 and case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $8::uuid and case when (t.lifecycle_at <= $1::timestamptz) is true then t.option82 else last_option82.value end = $9 and case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_reference else last_partner_reference.value end = $10 and $11 = any(case when (t.lifecycle_at <= $1::timestamptz) is true then t.article_codes else array(select json_array_elements_text(last.sys_attributes -> 'article_codes')) end))) l
  order by l.entity_id, l.tenant limit $12::int + 1) l
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id, (array_agg(r.tenant order by r.place) filter (where not r.fits))[1] as next_tenant
from (
  select r.*, r.place <= $12::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.entity_id, r.tenant)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select l.entity_id, l.tenant, format('{"line_id":"%s","tenant":"%s","entity_id":"%s","partner_id":"%s","since":"%s","article_codes":%s%s%s}', overlay(overlay(md5(l.tenant || ' ' || l.partner_id::text || ' ' || l.entity_id::text) placing '8' from 13) placing '8' from 17)::uuid, l.tenant, l.entity_id, l.partner_id, to_char(l.since at time zone 'UTC', case when date_trunc('milliseconds', l.since) = l.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), l.article_codes, ',"option82":' || to_json(l.option82)::text, ',"partner_reference":' || to_json(l.partner_reference)::text) as json
  from (
  select l.* from ((
select t.entity_id, t.tenant, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= $1::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= $1::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= $1::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
  t.last_event_id, t.created_at, t.modified_at
from (
  select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.shard_key = $2 and e.tenant = $3 and e.namespace_id = $4 and e.entity_id = $5 and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = $6::uuid and e.event_at <= $7::timestamptz
) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $8 and e.tenant = $9 and e.namespace_id = $10 and e.entity_id = $11 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $8 and e.tenant = $9 and e.namespace_id = $10 and e.entity_id = $11 and e.event_at <= $1::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $8 and e.tenant = $9 and e.namespace_id = $10 and e.entity_id = $11 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $8 and e.tenant = $9 and e.namespace_id = $10 and e.entity_id = $11 and e.event_at <= $1::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  left join lateral (
    select e.event_at from event e
    where not ((t.lifecycle_at <= $1::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.shard_key = $8 and e.tenant = $9 and e.namespace_id = $10 and e.entity_id = $11 and e.event_at <= $1::timestamptz and e.event_type = 'notification' and last.event_at is null
    order by e.event_at limit 1
  ) notification on true where t.shard_key = $8 and t.tenant = $9 and t.namespace_id = $10 and t.entity_id = $11 and case when (t.lifecycle_at <= $1::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= $1::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = $12::uuid)) l
  order by l.entity_id, l.tenant limit $13::int + 1) l
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id, (array_agg(r.tenant order by r.place) filter (where not r.fits))[1] as next_tenant
from (
  select r.*, r.place <= $13::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.entity_id, r.tenant)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

copy (select overlay(overlay(md5(l.tenant || ' ' || l.partner_id::text || ' ' || l.entity_id::text) placing '8' from 13) placing '8' from 17)::uuid as line_id, l.tenant as tenant, l.entity_id as entity_id, l.partner_id as partner_id, to_char(l.since at time zone 'UTC', case when date_trunc('milliseconds', l.since) = l.since
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end) as since, l.article_codes as article_codes, l.option82 as option82, l.partner_reference as partner_reference from ((
    select t.entity_id, t.tenant, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= '...'::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
      t.last_event_id, t.created_at, t.modified_at
    from (
      select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = '...'::uuid and e.event_at <= '...'::timestamptz
    ) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
      left join lateral (
        select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
      ) last on true
      left join lateral (
        select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
      ) activation on true
      left join lateral (
        select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_option82 on true
      left join lateral (
        select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_partner_reference on true
      left join lateral (
        select e.event_at from event e
        where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type = 'notification' and last.event_at is null
        order by e.event_at limit 1
      ) notification on true where t.tenant = 'ano.other' and t.namespace_id = '...' and case when (t.lifecycle_at <= '...'::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= '...'::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = '...'::uuid)) l order by l.entity_id, l.tenant) to stdout (format csv, header);

copy (select format('{"line_id":"%s","tenant":"%s","entity_id":"%s","partner_id":"%s","since":"%s","article_codes":%s%s%s}', overlay(overlay(md5(l.tenant || ' ' || l.partner_id::text || ' ' || l.entity_id::text) placing '8' from 13) placing '8' from 17)::uuid, l.tenant, l.entity_id, l.partner_id, to_char(l.since at time zone 'UTC', case when date_trunc('milliseconds', l.since) = l.since
    then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), l.article_codes, ',"option82":' || to_json(l.option82)::text, ',"partner_reference":' || to_json(l.partner_reference)::text) from ((
    select t.entity_id, t.tenant, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end as state, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.state_since else case when last.event_type <> 'deactivation' then activation.event_at else coalesce(last.event_at, notification.event_at) end end as since, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end as partner_id, case when (t.lifecycle_at <= '...'::timestamptz) is true then array_to_json(t.article_codes)::text else (last.sys_attributes -> 'article_codes')::text end as article_codes, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.option82 else last_option82.value end as option82, case when (t.lifecycle_at <= '...'::timestamptz) is true then t.partner_reference else last_partner_reference.value end as partner_reference,
      t.last_event_id, t.created_at, t.modified_at
    from (
      select distinct e.shard_key, e.tenant, e.namespace_id, e.entity_id from event e where e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_type = 'activation' and e.sys_attributes is not null and (e.sys_attributes ->> 'partner_id')::uuid = '...'::uuid and e.event_at <= '...'::timestamptz
    ) c join timeline t on t.shard_key = c.shard_key and t.tenant = c.tenant and t.namespace_id = c.namespace_id and t.entity_id = c.entity_id
      left join lateral (
        select e.event_type, e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type <> 'notification' order by e.event_at desc limit 1
      ) last on true
      left join lateral (
        select e.event_at, e.sys_attributes from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type = 'activation' order by e.event_at desc limit 1
      ) activation on true
      left join lateral (
        select e.sys_attributes ->> 'option82' as value from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_option82 on true
      left join lateral (
        select e.sys_attributes ->> 'partner_reference' as value from event e where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
      ) last_partner_reference on true
      left join lateral (
        select e.event_at from event e
        where not ((t.lifecycle_at <= '...'::timestamptz) is true) and e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = 'ano.other' and e.namespace_id = '...' and e.event_at <= '...'::timestamptz and e.event_type = 'notification' and last.event_at is null
        order by e.event_at limit 1
      ) notification on true where t.tenant = 'ano.other' and t.namespace_id = '...' and case when (t.lifecycle_at <= '...'::timestamptz) is true then t.state else case when last.event_at is null then 'announced' when last.event_type = 'deactivation' then 'inactive' else 'active' end end = 'active' and case when (t.lifecycle_at <= '...'::timestamptz) is true then t.partner_id else (activation.sys_attributes ->> 'partner_id')::uuid end = '...'::uuid)) l order by l.entity_id, l.tenant) to stdout (format csv, quote E'\x01', delimiter E'\x02');

SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (((("Isp"."tenant" = $1) AND ("Isp"."namespace_id" = $2)))) ORDER BY "Isp"."partner_id" ASC LIMIT 501;

select a.tenant, a.partner_id, a.first_at, a.begins_at, a.ends_at from isp_access a where a.isp_tenant = $1;

with record as materialized (
  select l.changed_at, l.line_id, format('{"change":"%s","changed_at":"%s","line":%s}', case when l.ended_at is null then 'upserted' else 'ended' end, to_char(l.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), case when l.ended_at is null then format('{"line_id":"%s","tenant":"%s","entity_id":"%s","partner_id":"%s","since":"%s","article_codes":%s%s%s}', overlay(overlay(md5(l.tenant || ' ' || l.partner_id::text || ' ' || l.entity_id::text) placing '8' from 13) placing '8' from 17)::uuid, l.tenant, l.entity_id, l.partner_id, to_char(l.since at time zone 'UTC', case when date_trunc('milliseconds', l.since) = l.since
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), l.article_codes, ',"option82":' || to_json(l.option82)::text, ',"partner_reference":' || to_json(l.partner_reference)::text) else format('{"line_id":"%s","tenant":"%s","entity_id":"%s","partner_id":"%s"%s%s,"ended_at":"%s"}', l.line_id, l.tenant, l.entity_id, l.partner_id, ',"option82":' || to_json(l.option82)::text, ',"partner_reference":' || to_json(l.partner_reference)::text, to_char(l.ended_at at time zone 'UTC', case when date_trunc('milliseconds', l.ended_at) = l.ended_at
then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end)) end) as json
  from (select l.* from ((
  select r.line_id, r.tenant, r.entity_id, r.partner_id, $1::timestamptz as changed_at, r.ended_at, t.state_since as since, array_to_json(t.article_codes)::text as article_codes,
    case when r.ended_at is null then t.option82 else last_option82.value end as option82,
    case when r.ended_at is null then t.partner_reference else last_partner_reference.value end as partner_reference
  from line_change r join timeline t on t.shard_key = r.shard_key and t.tenant = r.tenant and t.entity_id = r.entity_id and t.tenant = $2 and t.namespace_id = $3
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  where r.tenant = $4 and r.partner_id = $5::uuid and r.changed_at <= $1::timestamptz and (r.ended_at is null or $1::timestamptz >= $6::timestamptz and r.changed_at > $7::timestamptz) and $1::timestamptz < $8::timestamptz and $1::timestamptz >= $9::timestamptz and r.line_id >= case when $1::timestamptz > $9::timestamptz then '...' else $10::uuid end order by r.line_id limit $11::int + 1
) union all (
  select r.line_id, r.tenant, r.entity_id, r.partner_id, r.changed_at as changed_at, r.ended_at, t.state_since as since, array_to_json(t.article_codes)::text as article_codes,
    case when r.ended_at is null then t.option82 else last_option82.value end as option82,
    case when r.ended_at is null then t.partner_reference else last_partner_reference.value end as partner_reference
  from line_change r join timeline t on t.shard_key = r.shard_key and t.tenant = r.tenant and t.entity_id = r.entity_id and t.tenant = $12 and t.namespace_id = $13
  left join lateral (
    select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $12 and e.namespace_id = $13 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type <> 'notification' order by e.event_at desc limit 1
  ) last on true
  left join lateral (
    select e.event_at, e.sys_attributes from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $12 and e.namespace_id = $13 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type = 'activation' order by e.event_at desc limit 1
  ) activation on true
  left join lateral (
    select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $12 and e.namespace_id = $13 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_option82 on true
  left join lateral (
    select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = r.shard_key and e.tenant = r.tenant and e.entity_id = r.entity_id and e.tenant = $12 and e.namespace_id = $13 and e.event_at <= r.ended_at - interval '1 microsecond' and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
  ) last_partner_reference on true
  where r.tenant = $4 and r.partner_id = $5::uuid and r.changed_at > $1::timestamptz and r.changed_at < $8::timestamptz and (r.ended_at is null or r.changed_at >= $6::timestamptz) and (r.changed_at, r.line_id) >= ($9::timestamptz, $10::uuid) order by r.changed_at, r.line_id limit $11::int + 1
) union all (
  select r.line_id, r.tenant, r.entity_id, r.partner_id, $14::timestamptz as changed_at, $14::timestamptz as ended_at, null::timestamptz as since, null as article_codes, null as option82,
    null as partner_reference
  from line_change r
  where r.tenant = $15 and r.partner_id = $16::uuid and r.created_at < $14::timestamptz and $14::timestamptz >= $6::timestamptz and $14::timestamptz < $8::timestamptz and $14::timestamptz >= $9::timestamptz and r.line_id >= case when $14::timestamptz > $9::timestamptz then '...' else $10::uuid end order by r.line_id limit $11::int + 1
)) l order by l.changed_at, l.line_id limit $11::int + 1) l
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.changed_at order by r.place) filter (where not r.fits))[1] as next_changed_at, (array_agg(r.line_id order by r.place) filter (where not r.fits))[1] as next_line_id
from (
  select r.*, r.place <= $11::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.changed_at, r.line_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;
