  select area.circle, nearby.*
  from unnest($1::int[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::box[], $7::point[])
    as area(circle, x, y, z, radius, box, center)
  cross join lateral (
    select n.node_id, n.latitude, n.longitude, sqrt((n.x - area.x) * (n.x - area.x) + (n.y - area.y) * (n.y - area.y) + (n.z - area.z) * (n.z - area.z)) as straight, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"offer":"' || case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end || '"') as json
    from access_node n
    where n.collection = 'nodes' and n.position <@ area.box and (n.x - area.x) * (n.x - area.x) + (n.y - area.y) * (n.y - area.y) + (n.z - area.z) * (n.z - area.z) <= area.radius * area.radius and
($8::text is null or n.token = $8)
and ($9::text is null or lower(n.technology collate "C") = lower($9 collate "C"))
and coalesce(n.status = $10::text, n.status <> 'terminated')
and coalesce(n.available_from <= $11::date, true)
and ($12::boolean is null or coalesce(n.units_connected > 0, false) = $12::boolean)
and ($13::text is null or case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end = $13)
    order by straight, n.node_id
    limit $14::int
  ) as nearby
  where $9::text is null
    or exists (select from access_node t where t.collection = 'nodes' and lower(t.technology collate "C") = lower($9 collate "C"));

  select a.place::int - 1 as address, found.json
  from unnest($1::text[]) with ordinality as a(address_id, place)
  cross join lateral (
    select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"offer":"' || case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end || '"') as json
    from access_node n
    where n.collection = 'nodes' and n.address_id = a.address_id and
($2::text is null or n.token = $2)
and ($3::text is null or lower(n.technology collate "C") = lower($3 collate "C"))
and coalesce(n.status = $4::text, n.status <> 'terminated')
and coalesce(n.available_from <= $5::date, true)
and ($6::boolean is null or coalesce(n.units_connected > 0, false) = $6::boolean)
and ($7::text is null or case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end = $7)
    order by n.node_id
    limit $8::int
  ) as found
  order by a.place, found.node_id;

  with word as materialized (
    select '''' || f.word || '''' as whole,
      '''' || f.word || case
        when case when f.word ~ '^[0-9]' then f.place = count(*) over () else char_length(f.word) >= 3 end then ''':*' else '''' end as begun
    from unnest(string_to_array(fold_address($1), ' ')) with ordinality as f(word, place)

  ), words as materialized (
    select string_agg(w.whole, ' & ')::tsquery as whole, string_agg(w.begun, ' & ')::tsquery as begun
    from word w where set_config('work_mem', $2, true) is not null
    having count(*) between 1 and 1 + 7
  ), sampled_whole as materialized (
    select n.node_id, char_length(n.address) as length, coalesce(n.collection = 'nodes' and
($3::text is null or n.token = $3)
and ($4::text is null or lower(n.technology collate "C") = lower($4 collate "C"))
and coalesce(n.status = $5::text, n.status <> 'terminated')
and coalesce(n.available_from <= $6::date, true)
and ($7::boolean is null or coalesce(n.units_connected > 0, false) = $7::boolean)
and ($8::text is null or case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end = $8), false) as is_match
    from access_node n
    where n.address_words @@ (select w.whole from words w) and uuid_hash(n.node_id) & 63 = 0 limit 50000
  ), all_whole as materialized (
    select n.node_id, char_length(n.address) as length, coalesce(n.collection = 'nodes' and
($3::text is null or n.token = $3)
and ($4::text is null or lower(n.technology collate "C") = lower($4 collate "C"))
and coalesce(n.status = $5::text, n.status <> 'terminated')
and coalesce(n.available_from <= $6::date, true)
and ($7::boolean is null or coalesce(n.units_connected > 0, false) = $7::boolean)
and ($8::text is null or case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end = $8), false) as is_match
    from access_node n
    where n.address_words @@ (select w.whole from words w) and not (select count(*) from (select from sampled_whole s where s.is_match limit 157) e) = 157 limit 50000
  ), best_whole as materialized (
    select c.node_id, c.length, false as is_begun
    from (
      select s.node_id, s.length from sampled_whole s where s.is_match
      union select a.node_id, a.length from all_whole a where a.is_match
    ) c
    order by c.length, c.node_id limit 11
  ), sampled_begun as materialized (
    select n.node_id, char_length(n.address) as length, coalesce(not n.address_words @@ (select w.whole from words w) and n.collection = 'nodes' and
($3::text is null or n.token = $3)
and ($4::text is null or lower(n.technology collate "C") = lower($4 collate "C"))
and coalesce(n.status = $5::text, n.status <> 'terminated')
and coalesce(n.available_from <= $6::date, true)
and ($7::boolean is null or coalesce(n.units_connected > 0, false) = $7::boolean)
and ($8::text is null or case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end = $8), false) as is_match
    from access_node n
    where n.address_words @@ (select w.begun from words w) and uuid_hash(n.node_id) & 63 = 0 and (select count(*) from best_whole) < 11 and not (select count(*) from all_whole) = 50000 limit 50000
  ), rarer as materialized (
    select string_agg(case when c.count > 8000 then c.whole else c.begun end, ' & ')::tsquery as query,
      bool_or(c.count > 8000 and c.begun <> c.whole) as is_cut
    from (
      select w.whole, w.begun, s.count, min(s.count) over () as least
      from word w
      cross join lateral (
        select count(*) as count
        from (select from access_node n where n.address_words @@ w.begun::tsquery and uuid_hash(n.node_id) & 63 = 0 limit 8000 + 1) m
      ) s
      where (select count(*) from best_whole) < 11 and not (select count(*) from all_whole) = 50000 and not (select count(*) from (select from sampled_begun s where s.is_match limit 157) e) = 157
    ) c
    where c.count <= c.least * 10
  ), all_begun as materialized (
    select n.node_id, char_length(n.address) as length, coalesce(n.address_words @@ (select w.begun from words w) and not n.address_words @@ (select w.whole from words w) and n.collection = 'nodes' and
($3::text is null or n.token = $3)
and ($4::text is null or lower(n.technology collate "C") = lower($4 collate "C"))
and coalesce(n.status = $5::text, n.status <> 'terminated')
and coalesce(n.available_from <= $6::date, true)
and ($7::boolean is null or coalesce(n.units_connected > 0, false) = $7::boolean)
and ($8::text is null or case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end = $8), false) as is_match
    from access_node n
    where n.address_words @@ (select r.query from rarer r) limit 50000
  ), best as (
    select b.* from best_whole b union all (
    select c.node_id, c.length, true as is_begun
    from (
      select s.node_id, s.length from sampled_begun s where s.is_match
      union select a.node_id, a.length from all_begun a where a.is_match
    ) c
    order by c.length, c.node_id limit 11)
    order by is_begun, length, node_id limit 11
  ), rest as (
    select (select count(*) from all_whole) = 50000 or (select count(*) from all_begun) = 50000 or coalesce((select r.is_cut from rarer r), false) as is_cut
  )
  select f.json, r.is_cut
  from rest r
  left join (
    select b.*, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"offer":"' || case when n.status = 'terminated' then null
  when n.token = 'construction' or n.available_from > (now() at time zone 'UTC')::date then 'from'
  when n.token = 'operation' then 'now' else 'planned' end || '"') as json from best b join access_node n on n.node_id = b.node_id
  ) f on true
  order by f.is_begun, f.length, f.node_id;
