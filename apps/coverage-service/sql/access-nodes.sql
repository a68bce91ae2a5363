insert into access_node as n (tenant, relation_id, node_id, collection, created_by, modified_by, token, latitude, longitude, status, technology, country, address_id, address, lot_id, available_from, units, units_connected, download_mbps, upload_mbps, customer_reference, created_at, modified_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, written.at, written.at from (select write_time() as at) written
    where
  (select set_config('lock_timeout', (extract(epoch from current_setting('lock_timeout')::interval) * 50)::int::text, true)) is not null
    returning n.node_id, n.version, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json;

select n.node_id from access_node n
where n.tenant = $1 and n.relation_id = $2 and n.collection = $3 and n.customer_reference = $4;

insert into access_node as n (tenant, relation_id, node_id, collection, created_by, modified_by, token, latitude, longitude, status, technology, country, address_id, address, lot_id, available_from, units, units_connected, download_mbps, upload_mbps, customer_reference, created_at, modified_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, written.at, written.at from (select write_time() as at) written, (select r.relation_id from relation r where r.tenant = $1 and r.relation_id = any(array[$2::uuid]) for key share) held
    where
  (select set_config('lock_timeout', (extract(epoch from current_setting('lock_timeout')::interval) * 50)::int::text, true)) is not null
    returning n.node_id, n.version, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2  order by n.node_id limit $3::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

select count(*)::int as total from (select 1 from access_node n where n.tenant = $1 and n.collection = $2 limit 10000 + 1) counted;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2 and n.node_id >= $3::uuid order by n.node_id limit $4::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2  order by n.node_id desc limit $3::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id desc)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2 and n.node_id <= $3::uuid order by n.node_id desc limit $4::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $4::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id desc)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2 and n.relation_id = $3 and n.token = $4 and lower(n.technology collate "C") = lower($5::text collate "C") and n.status = $6 and n.modified_at >= $7::timestamptz  order by n.node_id limit $8::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $8::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2 and n.units_connected > 0  order by n.node_id limit $3::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2 and not coalesce(n.units_connected > 0, false)  order by n.node_id limit $3::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $3::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

with record as materialized (
  select n.node_id, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json
  from (select n.* from access_node n where n.tenant = $1 and n.collection = $2 and n.created_by = $3 and n.modified_by = $4  order by n.node_id limit $5::int + 1) n
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.node_id order by r.place) filter (where not r.fits))[1] as next_node_id
from (
  select r.*, r.place <= $5::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.node_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

select n.node_id, n.version, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json from access_node n where n.tenant = $1 and n.node_id = $2;

  update access_node n
  set token = $1, version = n.version + 1, modified_at = (select write_time()), modified_by = $2, publication = default
  where n.tenant = $3 and n.node_id = $4 and ($5::int[] is null or n.version = any($5::int[])) and (false or n.token is distinct from $1) and
(select set_config('lock_timeout', (extract(epoch from current_setting('lock_timeout')::interval) * 50)::int::text, true)) is not null
  returning n.node_id, n.version, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json;

select n.node_id, n.version, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json from access_node n
where n.tenant = $1 and n.node_id = $2 and ($3::int[] is null or n.version = any($3::int[])) and not (false or n.token is distinct from $4);

select n.node_id, n.version, format('{"node_id":"%s","relation_id":"%s","collection":"%s","token":"%s","center":"%s","status":"%s"%s%s%s%s%s%s%s%s%s%s%s,"tenant":"%s","created_at":"%s"%s,"modified_at":"%s"%s}', n.node_id, n.relation_id, n.collection, n.token, n.latitude || ', ' || n.longitude, n.status, ',"technology":' || to_json(n.technology)::text, ',"country":' || to_json(n.country)::text, ',"address_id":' || to_json(n.address_id)::text, ',"address":' || to_json(n.address)::text, ',"lot_id":' || to_json(n.lot_id)::text, ',"available_from":' || to_json(n.available_from)::text, ',"units":' || n.units::text, ',"units_connected":' || n.units_connected::text, ',"download_mbps":' || n.download_mbps::text, ',"upload_mbps":' || n.upload_mbps::text, ',"customer_reference":' || to_json(n.customer_reference)::text, n.tenant, to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"created_by":' || to_json(n.created_by)::text, to_char(n.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'), ',"modified_by":' || to_json(n.modified_by)::text) as json from access_node n
where n.tenant = $1 and n.node_id = $2;

select n.node_id, false or n.token is distinct from $1 as differs, n.units, n.units_connected
from access_node n where n.tenant = $2 and n.node_id = any($3::uuid[])
order by n.node_id;

select pg_advisory_xact_lock(hashtext('relations of ' || $1), l.number) from (
  select distinct hashtext(r.relation_id::text) & 255 as number from (select n.relation_id from access_node n where n.tenant = $2 and n.node_id = any($3::uuid[])) r order by number
) l;

select n.node_id, false or n.token is distinct from $1 as differs, n.units, n.units_connected
from access_node n where n.tenant = $2 and n.node_id = any($3::uuid[])
order by n.node_id for update;

update access_node n
set token = $1, version = n.version + 1, modified_at = (select write_time()), modified_by = $2, publication = default
where n.tenant = $3 and n.node_id = any($4::uuid[]);

select n.node_id, false as differs, n.units, n.units_connected
from access_node n where n.tenant = $1 and n.node_id = any($2::uuid[])
order by n.node_id;

select n.node_id, false as differs, n.units, n.units_connected
from access_node n where n.tenant = $1 and n.node_id = any($2::uuid[])
order by n.node_id for update;

delete from access_node n where n.tenant = $1 and n.node_id = any($2::uuid[]);

  delete from access_node n
  where n.tenant = $1 and n.node_id = $2 and ($3::int[] is null or n.version = any($3::int[])) and
(select set_config('lock_timeout', (extract(epoch from current_setting('lock_timeout')::interval) * 50)::int::text, true)) is not null
  returning n.node_id;
