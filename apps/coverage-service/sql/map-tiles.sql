select count(*)::int as count from (select  from access_node n where n.tenant = $1 and n.collection = $2 and access_node_map_key(n.position) >= $3::bigint and access_node_map_key(n.position) < $4::bigint order by access_node_map_key(n.position) limit 25000 + 1) counted;

select r.count, r.planned, r.construction, r.operation, r.longitude, r.latitude, o.*
from (select c.cell, (count(c.token))::int as count, (count(*) filter (where c.token = 'planned'))::int as planned, (count(*) filter (where c.token = 'construction'))::int as construction, (count(*) filter (where c.token = 'operation'))::int as operation, avg(c.position[0]) as longitude, avg(c.position[1]) as latitude from (select n.position, n.token, access_node_map_key(n.position) >> $1::int as cell from access_node n where n.tenant = $2 and n.collection = $3 and access_node_map_key(n.position) >= $4::bigint and access_node_map_key(n.position) < $5::bigint order by access_node_map_key(n.position) limit 25000 + 1) c where c.cell is not null group by c.cell) r
left join lateral (
  select n.node_id, n.token, n.technology, n.status from access_node n
  where n.tenant = $2 and n.collection = $3 and access_node_map_key(n.position) = access_node_map_key(point(r.longitude, r.latitude)) limit 1
) o on r.count = 1
order by r.cell;

select c.node_id, c.token, c.technology, c.status, c.position[0] as longitude, c.position[1] as latitude
from (select n.node_id, n.token, n.technology, n.status, n.position, true as matches from access_node n where n.tenant = $1 and n.collection = $2 and access_node_map_key(n.position) >= $3::bigint and access_node_map_key(n.position) < $4::bigint order by access_node_map_key(n.position) limit 25000 + 1) c
where c.matches
order by c.node_id
limit $5::int;

select r.count, r.planned, r.construction, r.operation, r.longitude, r.latitude, o.*
from (select c.cell, (count(c.token))::int as count, (count(*) filter (where c.token = 'planned'))::int as planned, (count(*) filter (where c.token = 'construction'))::int as construction, (count(*) filter (where c.token = 'operation'))::int as operation, avg(c.position[0]) as longitude, avg(c.position[1]) as latitude from (select n.position, n.token, case when n.token = $1 and lower(n.technology collate "C") = lower($2::text collate "C") and n.status = $3 and n.modified_at >= $4::timestamptz then (floor(((n.position[0] + 180) / 360 - floor((n.position[0] + 180) / 360)) * $5::float8)::bigint << 32) | floor(((1 - asinh(tand(n.position[1])) / pi()) / 2) * $5::float8)::bigint end as cell from access_node n where n.tenant = $6 and n.collection = $7 and access_node_map_key(n.position) >= $8::bigint and access_node_map_key(n.position) < $9::bigint order by access_node_map_key(n.position) limit 25000 + 1) c where c.cell is not null group by c.cell) r
left join lateral (
  select n.node_id, n.token, n.technology, n.status from access_node n
  where n.tenant = $6 and n.collection = $7 and access_node_map_key(n.position) = access_node_map_key(point(r.longitude, r.latitude)) and n.token = $1 and lower(n.technology collate "C") = lower($2::text collate "C") and n.status = $3 and n.modified_at >= $4::timestamptz limit 1
) o on r.count = 1
order by r.cell;

select c.node_id, c.token, c.technology, c.status, c.position[0] as longitude, c.position[1] as latitude
from (select n.node_id, n.token, n.technology, n.status, n.position, true and n.token = $1 and lower(n.technology collate "C") = lower($2::text collate "C") and n.status = $3 and n.modified_at >= $4::timestamptz as matches from access_node n where n.tenant = $5 and n.collection = $6 and access_node_map_key(n.position) >= $7::bigint and access_node_map_key(n.position) < $8::bigint order by access_node_map_key(n.position) limit 25000 + 1) c
where c.matches
order by c.node_id
limit $9::int;
