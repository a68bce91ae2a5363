select n.node_id, n.token, n.status, n.technology, to_char(n.available_from, 'YYYY-MM-DD') as available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.position[0] as longitude, n.position[1] as latitude
from (select n.node_id, n.token, n.status, n.technology, n.available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.position from access_node n where n.tenant = $1 and n.collection = $2 and access_node_map_key(n.position) >= $3::bigint and access_node_map_key(n.position) < $4::bigint order by access_node_map_key(n.position) limit 2000 + 1) n
order by n.node_id limit 2000 + 1;

select count(*)::int as count from (select  from access_node n where n.tenant = $1 and n.collection = $2 and access_node_map_key(n.position) >= $3::bigint and access_node_map_key(n.position) < $4::bigint order by access_node_map_key(n.position) limit 25000 + 1) counted;

select n.node_id, n.token, n.status, n.technology, to_char(n.available_from, 'YYYY-MM-DD') as available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.position[0] as longitude, n.position[1] as latitude
from (select n.node_id, n.token, n.status, n.technology, n.available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.position, n.token = $1 and lower(n.technology collate "C") = lower($2::text collate "C") and n.status = $3 and n.modified_at >= $4::timestamptz as matches from access_node n where n.tenant = $5 and n.collection = $6 and access_node_map_key(n.position) >= $7::bigint and access_node_map_key(n.position) < $8::bigint order by access_node_map_key(n.position) limit 25000 + 1) n where n.matches
order by n.node_id limit 2000 + 1;
