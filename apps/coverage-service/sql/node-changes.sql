select exists (select 1 from pg_extension where extname = 'citus') as found;

with published as (
  update publication p set published_at = write_time()
  where p.publication_id in (select u.publication_id from publication u where u.published_at is null for update skip locked)) select date_trunc('milliseconds', (
    select least(
      unsettled_since(),
      (select min(p.prepared) from pg_prepared_xacts p where p.database = current_database()) - interval '1800 seconds'
    )) - $1 * interval '1 second') as settled, true as complete;

with record as materialized (
  select n.changed_at, n.changed_id, format('{"change":"%s","changed_at":"%s","node":%s}', case when n.node_id is null then 'deleted' else 'upserted' end, to_char(n.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), case when n.node_id is null then format('{"node_id":"%s","relation_id":"%s"}', n.changed_id, n.changed_relation_id) else format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) end) as json
  from (
select c.*, n.*
from (
  select c.* from (

  (select c.modified_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id from access_node c
  where c.tenant = $1 and c.relation_id = $2 and c.collection = 'nodes' and c.publication is null and (c.modified_at, c.node_id) >= ($3::timestamptz, $4::uuid) and c.modified_at < $5
  order by c.modified_at, c.node_id limit $6::int + 1) union all
  (select p.published_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id
  from publication p cross join lateral (
    select c.node_id, c.relation_id from access_node c
    where c.publication = p.publication_id and c.relation_id = $2 and c.collection = 'nodes'
      and c.node_id >= case when p.published_at = $3::timestamptz then $4::uuid else '...' end
    order by c.node_id limit $6::int + 1
  ) c
  where p.tenant = $1 and p.published_at >= $3::timestamptz and p.published_at < $5
  order by p.published_at, c.node_id limit $6::int + 1) union all
  (select c.deleted_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id from node_deletion c
  where c.tenant = $1 and c.relation_id = $2 and c.publication is null and c.deleted_at >= $7 and (c.deleted_at, c.node_id) >= ($3::timestamptz, $4::uuid) and c.deleted_at < $5
  order by c.deleted_at, c.node_id limit $6::int + 1) union all
  (select p.published_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id
  from publication p cross join lateral (
    select c.node_id, c.relation_id from node_deletion c
    where c.publication = p.publication_id and c.relation_id = $2
      and c.node_id >= case when p.published_at = $3::timestamptz then $4::uuid else '...' end
    order by c.node_id limit $6::int + 1
  ) c
  where p.tenant = $1 and p.published_at >= $7 and p.published_at >= $3::timestamptz and p.published_at < $5
  order by p.published_at, c.node_id limit $6::int + 1)
  ) c order by c.changed_at, c.changed_id limit $6::int + 1
) c left join access_node n on n.node_id = c.changed_id) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.changed_at order by r.place) filter (where not r.fits))[1] as next_changed_at, (array_agg(r.changed_id order by r.place) filter (where not r.fits))[1] as next_changed_id
from (
  select r.*, r.place <= $6::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.changed_at, r.changed_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select n.changed_at, n.changed_id, format('{"change":"%s","changed_at":"%s","node":%s}', case when n.node_id is null then 'deleted' else 'upserted' end, to_char(n.changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), case when n.node_id is null then format('{"node_id":"%s","relation_id":"%s"}', n.changed_id, n.changed_relation_id) else format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s","modified_at":"%s"}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) end) as json
  from (
select c.*, n.*
from (
  select c.* from (

  (select c.modified_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id from access_node c
  where c.collection = 'nodes' and c.publication is null and (c.modified_at, c.node_id) >= ($1::timestamptz, $2::uuid) and c.modified_at < $3
  order by c.modified_at, c.node_id limit $4::int + 1) union all
  (select p.published_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id
  from publication p cross join lateral (
    select c.node_id, c.relation_id from access_node c
    where c.publication = p.publication_id and c.collection = 'nodes'
      and c.node_id >= case when p.published_at = $1::timestamptz then $2::uuid else '...' end
    order by c.node_id limit $4::int + 1
  ) c
  where p.published_at >= $1::timestamptz and p.published_at < $3
  order by p.published_at, c.node_id limit $4::int + 1) union all
  (select c.deleted_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id from node_deletion c
  where c.publication is null and c.deleted_at >= $5 and (c.deleted_at, c.node_id) >= ($1::timestamptz, $2::uuid) and c.deleted_at < $3
  order by c.deleted_at, c.node_id limit $4::int + 1) union all
  (select p.published_at as changed_at, c.node_id as changed_id, c.relation_id as changed_relation_id
  from publication p cross join lateral (
    select c.node_id, c.relation_id from node_deletion c
    where c.publication = p.publication_id
      and c.node_id >= case when p.published_at = $1::timestamptz then $2::uuid else '...' end
    order by c.node_id limit $4::int + 1
  ) c
  where p.published_at >= $5 and p.published_at >= $1::timestamptz and p.published_at < $3
  order by p.published_at, c.node_id limit $4::int + 1)
  ) c order by c.changed_at, c.changed_id limit $4::int + 1
) c left join access_node n on n.node_id = c.changed_id) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.changed_at order by r.place) filter (where not r.fits))[1] as next_changed_at, (array_agg(r.changed_id order by r.place) filter (where not r.fits))[1] as next_changed_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.changed_at, r.changed_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

delete from node_deletion d using (
  select * from (
    select o.deleted_at, o.node_id from node_deletion o where o.publication is null and o.deleted_at < now() - $1 * interval '1 day' - interval '1 hour'
    order by o.deleted_at, o.node_id limit 1000 for update skip locked
  ) single
  union all
  select * from (
    select o.deleted_at, o.node_id from publication p join node_deletion o on o.publication = p.publication_id
    where p.published_at < now() - $1 * interval '1 day' - interval '1 hour' limit 1000 for update of o skip locked
  ) published
) o where d.deleted_at = o.deleted_at and d.node_id = o.node_id
returning d.node_id;

delete from publication p where p.publication_id in (
  select o.publication_id from publication o
  where o.published_at is not null
    and not exists (select from access_node n where n.collection = 'nodes' and n.publication = o.publication_id)
    and not exists (select from node_deletion d where d.publication = o.publication_id)
  limit 1000 for update skip locked
)
returning p.publication_id;
