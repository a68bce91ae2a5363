SELECT "Isp"."tenant" AS "Isp_tenant", "Isp"."namespace_id" AS "Isp_namespace_id", "Isp"."partner_id" AS "Isp_partner_id", "Isp"."name" AS "Isp_name", "Isp"."email" AS "Isp_email", "Isp"."comment" AS "Isp_comment", "Isp"."isp_tenant" AS "Isp_isp_tenant", "Isp"."version" AS "Isp_version", "Isp"."created_at" AS "Isp_created_at", "Isp"."created_by" AS "Isp_created_by", "Isp"."modified_at" AS "Isp_modified_at", "Isp"."modified_by" AS "Isp_modified_by" FROM "isp" "Isp" WHERE (("Isp"."namespace_id" = $1) AND ("Isp"."isp_tenant" = $2));

  with record as materialized (
    select p.entity_id, p.since_from, p.json as json
    from (
    select
      t.entity_id,
      (extract(epoch from p.began - $1) * 1000000)::float8 as since_from,
      format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s%s%s,"runs_on":%s,"tenant":"%s"}', t.entity_id, p.partner_id, to_char(p.began at time zone 'UTC', case when date_trunc('milliseconds', p.began) = p.began
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(p.ended at time zone 'UTC', case when date_trunc('milliseconds', p.ended) = p.ended
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || p.begins || '"', ',"begins_by":"' || p.begins_by || '"', ',"ends":"' || p.ends || '"', ',"ends_by":"' || p.ends_by || '"', (p.ends is null)::text, t.tenant) as json
    from timeline t
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.created_at <= $4 and e.event_at <= $1 and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.created_at <= $4 and e.event_at <= $1 and e.event_type = 'activation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.created_at <= $4 and e.event_at <= $1 and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.created_at <= $4 and e.event_at <= $1 and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
  cross join lateral (
    select
      s.shard_key,
      s.partner_id,
      greatest(s.began, $1) as began,
      coalesce(s.ended, $5) as ended,
      s.article_codes, s.option82, s.partner_reference,
      case when s.began >= $1 then s.event_id end as begins,
      case when s.began >= $1 then s.event_type end as begins_by,
      s.ended_by as ends,
      s.ended_by_type as ends_by,
      s.articles_before,
      s.articles_after
    from (
select s.shard_key, s.event_id, s.event_type, s.period, s.article_codes, s.articles_before, s.articles_after,
  s.event_at as began, s.ended, s.ended_by, s.ended_by_type,
  case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
  case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
  case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by, lead(e.event_type) over timeline as ended_by_type,
      lag(e.sys_attributes -> 'article_codes') over timeline as articles_before,
      lead(e.sys_attributes -> 'article_codes') over timeline as articles_after
    from (
        select e.*
        from event e
        where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $2 and e.namespace_id = $3 and e.created_at <= $4
          and e.event_type <> 'notification'
          and e.event_at >= coalesce(last.event_at, $1)
          and e.event_at < $5) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation') s
    where s.partner_id = $6
  ) p
    where t.tenant = $2 and t.namespace_id = $3 and ((t.modified_at > $4 or t.lifecycle_at >= $1) or (t.state = 'active' and t.partner_id::text = $6))
      and true
    order by entity_id, since_from
    limit $7::int + 1) p
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id, (array_agg(r.since_from order by r.place) filter (where not r.fits))[1] as next_since_from
  from (
    select r.*, r.place <= $7::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id, r.since_from)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

  with record as materialized (
    select t.ordinal, format('{"partner_id":"%s","article_code":%s,"entities":%s,"days":%s,"started":%s,"added":%s,"removed":%s,"ended":%s,"tenant":"%s"}', t.partner_id, to_json(t.article_code)::text, t.entities::text, t.days::text, t.started::text, t.added::text, t.removed::text, t.ended::text, t.tenant) as json
    from (
    select t.*
    from (
    select s.*, row_number() over (order by s.partner_id collate "C", s.article_code)::float8 as ordinal
    from (
      select
        a.tenant,
        a.partner_id,
        a.article_code,
        sum(a.entities) as entities,
        round(round(sum(a.days), 12), 2) as days,
        sum(a.started) as started,
          sum(a.added) as added,
          sum(a.removed) as removed,
          sum(a.ended) as ended
      from (
        select
          q.tenant,
          q.partner_id,
          c.article_code,
          q.entities,
          q.entities * c.times * w.days as days,
          0 as started,
          0 as added,
          0 as removed,
          0 as ended
        from (
          select t.tenant, t.partner_id::text as partner_id, t.article_codes, count(*) as entities
          from timeline t
          where t.tenant = $1 and t.namespace_id = $2
            and not (t.modified_at > $3 or t.lifecycle_at >= $4)
            and t.state = 'active' and t.partner_id::text = $5
          group by t.tenant, t.partner_id, t.article_codes
        ) q
        cross join lateral (
          select code collate "C" as article_code, count(*) as times
          from unnest(q.article_codes) code
          group by code collate "C"
        ) c
        cross join (
          select (width_bucket((extract(epoch from $6::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + ((extract(epoch from $6::timestamptz at time zone 'UTC') * 1000000)::bigint - ($7::bigint[])[width_bucket((extract(epoch from $6::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])::numeric / (($7::bigint[])[width_bucket((extract(epoch from $6::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + 1] - ($7::bigint[])[width_bucket((extract(epoch from $6::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])) - (width_bucket((extract(epoch from $4::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + ((extract(epoch from $4::timestamptz at time zone 'UTC') * 1000000)::bigint - ($7::bigint[])[width_bucket((extract(epoch from $4::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])::numeric / (($7::bigint[])[width_bucket((extract(epoch from $4::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + 1] - ($7::bigint[])[width_bucket((extract(epoch from $4::timestamptz at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])) as days
          offset 0
        ) w
        union all
        select
          t.tenant,
          p.partner_id,
          c.article_code,
          count(distinct t.entity_id) filter (where p.began < p.ended),
          sum(c.times * d.days),
          sum(case p.begins_by when 'activation' then c.times else 0 end) as started,
          sum(case p.begins_by when 'update' then greatest(c.times - b.times, 0) else 0 end) as added,
          sum(case p.ends_by when 'update' then greatest(c.times - a.times, 0) else 0 end) as removed,
          sum(case p.ends_by when 'deactivation' then c.times else 0 end) as ended
        from timeline t
    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $3 and e.event_at <= $4::timestamptz - interval '1 microsecond' and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $3 and e.event_at <= $4::timestamptz - interval '1 microsecond' and e.event_type = 'activation' order by e.event_at desc limit 1
    ) activation on true
  cross join lateral (
    select
      s.shard_key,
      s.partner_id,
      greatest(s.began, $4) as began,
      coalesce(s.ended, $6) as ended,
      s.article_codes,
      case when s.began >= $4 then s.event_id end as begins,
      case when s.began >= $4 then s.event_type end as begins_by,
      s.ended_by as ends,
      s.ended_by_type as ends_by,
      s.articles_before,
      s.articles_after
    from (
select s.shard_key, s.event_id, s.event_type, s.period, s.article_codes, s.articles_before, s.articles_after,
  s.event_at as began, s.ended, s.ended_by, s.ended_by_type,
  case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id
from (
  select l.*
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by, lead(e.event_type) over timeline as ended_by_type,
      lag(e.sys_attributes -> 'article_codes') over timeline as articles_before,
      lead(e.sys_attributes -> 'article_codes') over timeline as articles_after
    from (
        select e.*
        from event e
        where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= $3
          and e.event_type <> 'notification'
          and e.event_at >= coalesce(last.event_at, $4::timestamptz - interval '1 microsecond')
          and e.event_at < $6) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation') s
    where s.partner_id = $5
  ) p
        cross join lateral (
          select (width_bucket((extract(epoch from p.ended at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + ((extract(epoch from p.ended at time zone 'UTC') * 1000000)::bigint - ($7::bigint[])[width_bucket((extract(epoch from p.ended at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])::numeric / (($7::bigint[])[width_bucket((extract(epoch from p.ended at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + 1] - ($7::bigint[])[width_bucket((extract(epoch from p.ended at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])) - (width_bucket((extract(epoch from p.began at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + ((extract(epoch from p.began at time zone 'UTC') * 1000000)::bigint - ($7::bigint[])[width_bucket((extract(epoch from p.began at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])::numeric / (($7::bigint[])[width_bucket((extract(epoch from p.began at time zone 'UTC') * 1000000)::bigint, $7::bigint[]) + 1] - ($7::bigint[])[width_bucket((extract(epoch from p.began at time zone 'UTC') * 1000000)::bigint, $7::bigint[])])) as days
        ) d
        cross join lateral (
          select o.code collate "C" as article_code, count(*) as times
          from json_array_elements_text(p.article_codes) o (code)
          group by o.code collate "C"
        ) c
        cross join lateral (
          select count(*) as times
          from json_array_elements_text(case p.begins_by when 'update' then p.articles_before end) o (code)
          where o.code collate "C" = c.article_code
        ) b
        cross join lateral (
          select count(*) as times
          from json_array_elements_text(case p.ends_by when 'update' then p.articles_after end) o (code)
          where o.code collate "C" = c.article_code
        ) a
        where t.tenant = $1 and t.namespace_id = $2
          and (t.modified_at > $3 or t.lifecycle_at >= $4)
        group by t.tenant, p.partner_id, c.article_code
      ) a
      group by a.tenant, a.partner_id, a.article_code
    ) s) t
    order by t.ordinal
    limit $8::int + 1) t
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.ordinal order by r.place) filter (where not r.fits))[1] as next_ordinal
  from (
    select r.*, r.place <= $8::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.ordinal)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

  with record as materialized (
    select p.entity_id, p.since_from, p.json as json
    from (
    select t.entity_id, 0::float8 as since_from, format('{"entity_id":"%s","before":%s,"after":%s%s,"tenant":"%s"}', t.entity_id, '[' || coalesce(c.before, '') || ']', '[' || coalesce(c.after, '') || ']', ',"truncated":' || case when c.steps > 1000 then 'true' end, t.tenant) as json
    from (
    select e.shard_key, e.tenant, e.namespace_id, e.entity_id, min(e.event_at) as first_change
    from event e
    where e.tenant = $1 and e.namespace_id = $2
      and e.event_id >= $3
      and e.created_at > $4
      and e.created_at <= $5
      and e.event_type <> 'notification'
      and e.event_at < $6
    group by e.shard_key, e.tenant, e.namespace_id, e.entity_id
    order by e.entity_id
  ) t
    cross join lateral (
      select
        string_agg(format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(p.began at time zone 'UTC', case when date_trunc('milliseconds', p.began) = p.began
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(p.ended at time zone 'UTC', case when date_trunc('milliseconds', p.ended) = p.ended
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || p.begins || '"', ',"begins_by":"' || p.begins_by || '"', ',"ends":"' || p.ends || '"', ',"ends_by":"' || p.ends_by || '"', (p.ends is null)::text), ',' order by p.began)
          filter (where p.side = 'before' and p.place <= 1000) as before,
        string_agg(format('{"entity_id":"%s","partner_id":"%s","from":"%s","to":"%s","article_codes":%s%s%s%s%s%s%s,"runs_on":%s}', t.entity_id, p.partner_id, to_char(p.began at time zone 'UTC', case when date_trunc('milliseconds', p.began) = p.began
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), to_char(p.ended at time zone 'UTC', case when date_trunc('milliseconds', p.ended) = p.ended
  then 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"' end), p.article_codes::text, ',"option82":' || to_json(p.option82)::text, ',"partner_reference":' || to_json(p.partner_reference)::text, ',"begins":"' || p.begins || '"', ',"begins_by":"' || p.begins_by || '"', ',"ends":"' || p.ends || '"', ',"ends_by":"' || p.ends_by || '"', (p.ends is null)::text), ',' order by p.began)
          filter (where p.side = 'after' and p.place <= 1000) as after,
        max(p.place) as steps
      from (
        select p.*, row_number() over (partition by p.shard_key, p.side order by p.began) as place
        from (
          select t.entity_id, p.shard_key, p.partner_id, p.began, p.ended, p.article_codes::text, p.option82, p.partner_reference, p.begins, p.begins_by, p.ends, p.ends_by, min(r.side) as side
          from (
            select o.*, t.first_change
            from timeline o
            where o.shard_key = t.shard_key and o.tenant = t.tenant and o.namespace_id = t.namespace_id and o.entity_id = t.entity_id
              and o.tenant = $1 and o.namespace_id = $2
          ) t
          cross join (
            values ('before', $4::timestamptz), ('after', $5::timestamptz)
          ) r (side, recorded)

    left join lateral (
      select e.event_type, e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= r.recorded and e.event_at <= greatest($7, t.first_change - interval '1 microsecond') and e.event_type <> 'notification' order by e.event_at desc limit 1
    ) last on true
    left join lateral (
      select e.event_at, e.sys_attributes from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= r.recorded and e.event_at <= greatest($7, t.first_change - interval '1 microsecond') and e.event_type = 'activation' order by e.event_at desc limit 1
    ) activation on true
    left join lateral (
      select e.sys_attributes ->> 'option82' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= r.recorded and e.event_at <= greatest($7, t.first_change - interval '1 microsecond') and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_option82 on true
    left join lateral (
      select e.sys_attributes ->> 'partner_reference' as value from event e where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= r.recorded and e.event_at <= greatest($7, t.first_change - interval '1 microsecond') and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and e.event_at >= activation.event_at order by e.event_at desc limit 1
    ) last_partner_reference on true
  cross join lateral (
    select
      s.shard_key,
      s.partner_id,
      greatest(s.began, $7) as began,
      coalesce(s.ended, $6) as ended,
      s.article_codes, s.option82, s.partner_reference,
      case when s.began >= $7 then s.event_id end as begins,
      case when s.began >= $7 then s.event_type end as begins_by,
      s.ended_by as ends,
      s.ended_by_type as ends_by,
      s.articles_before,
      s.articles_after
    from (
select s.shard_key, s.event_id, s.event_type, s.period, s.article_codes, s.articles_before, s.articles_after,
  s.event_at as began, s.ended, s.ended_by, s.ended_by_type,
  case when s.period = 0 then coalesce(max(s.partner_id) over (partition by s.shard_key, s.period), (activation.sys_attributes ->> 'partner_id')) else max(s.partner_id) over (partition by s.shard_key, s.period) end as partner_id,
  case when s.period = 0 then coalesce(max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82), last_option82.value) else max(s.option82) over (partition by s.shard_key, s.period, s.givers_of_option82) end as option82,
  case when s.period = 0 then coalesce(max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference), last_partner_reference.value) else max(s.partner_reference) over (partition by s.shard_key, s.period, s.givers_of_partner_reference) end as partner_reference
from (
  select l.*, count(l.option82) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_option82, count(l.partner_reference) over (partition by l.shard_key, l.period order by l.event_at) as givers_of_partner_reference
  from (
    select e.shard_key, e.event_id, e.event_type, e.event_at, e.sys_attributes -> 'article_codes' as article_codes,
      e.sys_attributes ->> 'partner_id' as partner_id, e.sys_attributes ->> 'option82' as option82, e.sys_attributes ->> 'partner_reference' as partner_reference,
      count(*) filter (where e.event_type = 'activation') over timeline as period,
      lead(e.event_at) over timeline as ended, lead(e.event_id) over timeline as ended_by, lead(e.event_type) over timeline as ended_by_type,
      lag(e.sys_attributes -> 'article_codes') over timeline as articles_before,
      lead(e.sys_attributes -> 'article_codes') over timeline as articles_after
    from (
        select e.*
        from event e
        where e.shard_key = t.shard_key and e.tenant = t.tenant and e.namespace_id = t.namespace_id and e.entity_id = t.entity_id and e.tenant = $1 and e.namespace_id = $2 and e.created_at <= r.recorded
          and e.event_type <> 'notification'
          and e.event_at >= coalesce(last.event_at, greatest($7, t.first_change - interval '1 microsecond'))
          and e.event_at < $6) e
    window timeline as (partition by e.shard_key order by e.event_at)
  ) l
) s
where s.event_type <> 'deactivation') s
    where s.partner_id = $8
  ) p
          group by t.entity_id, p.shard_key, p.partner_id, p.began, p.ended, p.article_codes::text, p.option82, p.partner_reference, p.begins, p.begins_by, p.ends, p.ends_by
          having count(*) = 1
        ) p
      ) p
      group by p.shard_key
    ) c
    where t.tenant = $1 and t.namespace_id = $2
      and true
    order by entity_id, since_from
    limit $9::int + 1) p
  )
  select
    string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
    count(*) filter (where r.fits)::int as records,
    (array_agg(r.entity_id order by r.place) filter (where not r.fits))[1] as next_entity_id, (array_agg(r.since_from order by r.place) filter (where not r.fits))[1] as next_since_from
  from (
    select r.*, r.place <= $9::int and (r.place = 1 or r.bytes < 8388608) as fits
    from (
      select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
      from record r window page as (order by r.entity_id, r.since_from)
    ) r
  ) r
  group by (r.place - 1) / 64
  order by (r.place - 1) / 64;

SELECT "Closing"."tenant" AS "Closing_tenant", "Closing"."namespace_id" AS "Closing_namespace_id", "Closing"."closing_id" AS "Closing_closing_id", "Closing"."from" AS "Closing_from", "Closing"."to" AS "Closing_to", "Closing"."timezone" AS "Closing_timezone", "Closing"."sent_from" AS "Closing_sent_from", "Closing"."sent_to" AS "Closing_sent_to", "Closing"."day_starts" AS "Closing_day_starts", "Closing"."timezone_release" AS "Closing_timezone_release", "Closing"."partner_id" AS "Closing_partner_id", "Closing"."reference" AS "Closing_reference", "Closing"."comment" AS "Closing_comment", "Closing"."recorded_until" AS "Closing_recorded_until", "Closing"."reviewed" AS "Closing_reviewed", "Closing"."warnings" AS "Closing_warnings", "Closing"."previous_closing_id" AS "Closing_previous_closing_id", "Closing"."idempotency_key" AS "Closing_idempotency_key", "Closing"."created_at" AS "Closing_created_at", "Closing"."created_by" AS "Closing_created_by" FROM "closing" "Closing" WHERE (((("Closing"."tenant" = $1) AND ("Closing"."namespace_id" = $2) AND ("Closing"."partner_id" = $3))) OR ((("Closing"."tenant" = $4) AND ("Closing"."namespace_id" = $5) AND ("Closing"."partner_id" IS NULL)))) ORDER BY "Closing"."closing_id" ASC LIMIT 501;

SELECT "Closing"."tenant" AS "Closing_tenant", "Closing"."namespace_id" AS "Closing_namespace_id", "Closing"."closing_id" AS "Closing_closing_id", "Closing"."from" AS "Closing_from", "Closing"."to" AS "Closing_to", "Closing"."timezone" AS "Closing_timezone", "Closing"."sent_from" AS "Closing_sent_from", "Closing"."sent_to" AS "Closing_sent_to", "Closing"."day_starts" AS "Closing_day_starts", "Closing"."timezone_release" AS "Closing_timezone_release", "Closing"."partner_id" AS "Closing_partner_id", "Closing"."reference" AS "Closing_reference", "Closing"."comment" AS "Closing_comment", "Closing"."recorded_until" AS "Closing_recorded_until", "Closing"."reviewed" AS "Closing_reviewed", "Closing"."warnings" AS "Closing_warnings", "Closing"."previous_closing_id" AS "Closing_previous_closing_id", "Closing"."idempotency_key" AS "Closing_idempotency_key", "Closing"."created_at" AS "Closing_created_at", "Closing"."created_by" AS "Closing_created_by" FROM "closing" "Closing" WHERE (((("Closing"."tenant" = $1) AND ("Closing"."namespace_id" = $2) AND ("Closing"."partner_id" = $3) AND ("Closing"."closing_id" = $4))) OR ((("Closing"."tenant" = $5) AND ("Closing"."namespace_id" = $6) AND ("Closing"."partner_id" IS NULL) AND ("Closing"."closing_id" = $7)))) LIMIT 1;
