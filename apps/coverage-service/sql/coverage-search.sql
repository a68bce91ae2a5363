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
