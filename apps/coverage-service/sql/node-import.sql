select pg_backend_pid() as pid;

insert into finished_import as f (tenant, idempotency_key, digest, created_at, created_by)
values ($1, $2, $3, statement_timestamp(), $4)
on conflict (tenant, idempotency_key) do update
set
  digest = excluded.digest,
  created_at = excluded.created_at,
  created_by = excluded.created_by,
  report = null
where not (f.created_at > now() - interval '24 hours')
returning f.idempotency_key;

select set_config('work_mem', $1, true);

create temporary table import_row (
  place integer not null,
  place_end integer not null,
  node_id uuid not null,
  relation_id uuid not null,
  token text not null,
  latitude numeric not null,
  longitude numeric not null,
  status text not null,
  technology text,
  country text,
  address_id text,
  address text,
  lot_id text,
  available_from date,
  units integer,
  units_connected integer,
  download_mbps double precision,
  upload_mbps double precision,
  customer_reference text
) on commit drop;

copy import_row (place, place_end, node_id, relation_id, token, latitude, longitude, status, technology, country, address_id, address, lot_id, available_from, units, units_connected, download_mbps, upload_mbps, customer_reference) from stdin;

with repeated as materialized (
  select i.relation_id, i.customer_reference, min(i.place) as first, max(i.place) as last
  from import_row i
  where i.customer_reference is not null
  group by i.relation_id, i.customer_reference
  having count(*) > 1
), removed as (
  delete from import_row i
  using repeated r
  where i.relation_id = r.relation_id
    and i.customer_reference = r.customer_reference
  returning
    i.place,
    i.place_end,
    case i.place
      when r.first then format('is repeated in %s %s', $1::text, r.last)
      else format('is already used in %s %s', $1::text, r.first)
    end as detail
)

select
  coalesce((
    select json_agg(p order by p.place)
    from (select r.place, r.place_end as end from removed r order by r.place limit $2) p
  ), '[]') as places,
  coalesce((
    select json_agg(f order by f.place)
    from (select r.place, r.detail from removed r order by r.place limit $3) f
  ), '[]') as faults;

analyze import_row;

select pg_advisory_xact_lock(hashtext('relations of ' || $1), l.number) from (
  select distinct hashtext(r.relation_id::text) & 255 as number from (select distinct i.relation_id from import_row i) r order by number
) l;

savepoint attempt;

with matched as materialized (
  select i.place, n.node_id, (n.token, n.latitude, n.longitude, n.status, n.technology, n.country, n.address_id, n.address, n.lot_id, n.available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.customer_reference) is distinct from (i.token, i.latitude, i.longitude, i.status, i.technology, i.country, i.address_id, i.address, i.lot_id, i.available_from, i.units, i.units_connected, i.download_mbps, i.upload_mbps, i.customer_reference) as differs

  from import_row i
  join access_node n
    on n.tenant = $1
    and n.collection = $2
    and n.relation_id = i.relation_id
    and n.customer_reference = i.customer_reference
  where i.customer_reference is not null
), updated as (
  update access_node n
  set
    token = i.token,
    latitude = i.latitude,
    longitude = i.longitude,
    status = i.status,
    technology = i.technology,
    country = i.country,
    address_id = i.address_id,
    address = i.address,
    lot_id = i.lot_id,
    available_from = i.available_from,
    units = i.units,
    units_connected = i.units_connected,
    download_mbps = i.download_mbps,
    upload_mbps = i.upload_mbps,
    customer_reference = i.customer_reference,
    version = n.version + 1,
    modified_at = (select write_time()), modified_by = $3, publication = default
  from matched m
  join import_row i on i.place = m.place
  where m.differs
    and n.node_id = m.node_id
    and n.collection = $2
    and n.customer_reference = i.customer_reference
  returning n.node_id
), created as (
  insert into access_node (
    node_id, tenant, relation_id, collection, token, latitude, longitude, status, technology, country, address_id, address, lot_id, available_from, units, units_connected, download_mbps, upload_mbps, customer_reference,
    created_at, modified_at, created_by, modified_by
  )
  select
    i.node_id, $1, i.relation_id, $2, i.token, i.latitude, i.longitude, i.status, i.technology, i.country, i.address_id, i.address, i.lot_id, i.available_from, i.units, i.units_connected, i.download_mbps, i.upload_mbps, i.customer_reference,
    written.at, written.at, $4, $4
  from import_row i
  cross join (select write_time() as at) written
  where not exists (select from matched m where m.place = i.place)
  returning 1
)
select
  (select count(*)::int from matched) as matched,
  (select count(*)::int from matched m where m.differs) as different,
  (select count(*)::int from updated) as updated,
  (select count(*)::int from created) as created,
  0 as absent, 0 as deleted, json_build_array() as "deletedNodes";

update finished_import f
set report = $1::json, relation_id = $2::uuid
where f.tenant = $3
  and f.idempotency_key = $4;

insert into finished_import (tenant, report, relation_id, created_at, created_by)
values ($1, $2::json, $3::uuid, now(), $4);

with paired as materialized (
  select i.place, n.node_id, n.customer_reference, (n.token, n.latitude, n.longitude, n.status, n.technology, n.country, n.address_id, n.address, n.lot_id, n.available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.customer_reference) is distinct from (i.token, i.latitude, i.longitude, i.status, i.technology, i.country, i.address_id, i.address, i.lot_id, i.available_from, i.units, i.units_connected, i.download_mbps, i.upload_mbps, i.customer_reference) as differs
  from import_row i
  full join (
    select n.*
  from access_node n
  where n.tenant = $1
    and n.collection = $2
    and n.relation_id = $3
  ) n on n.customer_reference = i.customer_reference
), matched as materialized (
  select p.place, p.node_id, p.differs
  from paired p
  where p.place is not null
    and p.node_id is not null
), deleted as (
  delete from access_node n
  using paired p
  where p.place is null
    and n.node_id = p.node_id
    and n.customer_reference is not distinct from p.customer_reference
  returning n.node_id, n.customer_reference
), updated as (
  update access_node n
  set
    token = i.token,
    latitude = i.latitude,
    longitude = i.longitude,
    status = i.status,
    technology = i.technology,
    country = i.country,
    address_id = i.address_id,
    address = i.address,
    lot_id = i.lot_id,
    available_from = i.available_from,
    units = i.units,
    units_connected = i.units_connected,
    download_mbps = i.download_mbps,
    upload_mbps = i.upload_mbps,
    customer_reference = i.customer_reference,
    version = n.version + 1,
    modified_at = (select write_time()), modified_by = $4, publication = default
  from matched m
  join import_row i on i.place = m.place
  where m.differs
    and n.node_id = m.node_id
    and n.collection = $2
    and n.customer_reference = i.customer_reference
  returning n.node_id
), created as (
  insert into access_node (
    node_id, tenant, relation_id, collection, token, latitude, longitude, status, technology, country, address_id, address, lot_id, available_from, units, units_connected, download_mbps, upload_mbps, customer_reference,
    created_at, modified_at, created_by, modified_by
  )
  select
    i.node_id, $1, i.relation_id, $2, i.token, i.latitude, i.longitude, i.status, i.technology, i.country, i.address_id, i.address, i.lot_id, i.available_from, i.units, i.units_connected, i.download_mbps, i.upload_mbps, i.customer_reference,
    written.at, written.at, $5, $5
  from import_row i
  cross join (select write_time() as at) written
  where not exists (select from matched m where m.place = i.place)
  returning 1
)
select
  (select count(*)::int from matched) as matched,
  (select count(*)::int from matched m where m.differs) as different,
  (select count(*)::int from updated) as updated,
  (select count(*)::int from created) as created,
  (select count(*)::int from paired p where p.place is null) as absent,
  (select count(*)::int from deleted) as deleted,
  coalesce((
    select json_agg(json_strip_nulls(row_to_json(f)))
    from (
      select d.node_id, d.customer_reference
      from deleted d
      order by d.customer_reference, d.node_id
      limit 1000
    ) f
  ), '[]') as "deletedNodes";

with matched as materialized (
  select i.place, n.node_id, (n.token, n.latitude, n.longitude, n.status, n.technology, n.country, n.address_id, n.address, n.lot_id, n.available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.customer_reference) is distinct from (i.token, i.latitude, i.longitude, i.status, i.technology, i.country, i.address_id, i.address, i.lot_id, i.available_from, i.units, i.units_connected, i.download_mbps, i.upload_mbps, i.customer_reference) as differs

  from import_row i
  join access_node n
    on n.tenant = $1
    and n.collection = $2
    and n.relation_id = i.relation_id
    and n.customer_reference = i.customer_reference
  where i.customer_reference is not null
), counted as (
  select
    count(*)::int as matched,
    (count(*) filter (where m.differs))::int as different
  from matched m
)
select
  c.matched,
  c.different,
  c.different as updated,
  (select count(*)::int from import_row) - c.matched as created,
  0 as absent, 0 as deleted, json_build_array() as "deletedNodes"
from counted c;

with one_sided as (
  select b.relation_id, b.customer_reference, min(b.place) as place
  from (
    select i.relation_id, i.customer_reference, i.place
    from import_row i
    where i.customer_reference is not null
    union all
    select n.relation_id, n.customer_reference, null
    from access_node n
    where n.tenant = $1
      and n.collection = $2
      and n.relation_id in (select i.relation_id from import_row i)
      and n.customer_reference is not null
  ) b
  group by b.relation_id, b.customer_reference
  having count(*) = 1
)
select
  unnest(array_agg(o.place) filter (where o.place is not null)) as place,
  min(o.customer_reference) filter (where o.place is null) as reference
from one_sided o
group by o.relation_id,
  case
    when o.customer_reference ~* '^-?[0-9]+([.,][0-9]+)?(e[+-]?[0-9]{1,2})?$'
    then trim_scale(replace(o.customer_reference, ',', '.')::numeric)::text
    else ltrim(lower(regexp_replace(
      regexp_replace(o.customer_reference, '^([0-9]{4})/([0-9]{2})/([0-9]{2})', '\1-\2-\3'),
      '(:[0-9]{2}):00$|T00:00:00(\.0+)?$',
      '\1'
    )), '0')
  end
having count(o.place) between 1 and count(*) - 1
order by place
limit $3;

with paired as materialized (
  select i.place, n.node_id, n.customer_reference, (n.token, n.latitude, n.longitude, n.status, n.technology, n.country, n.address_id, n.address, n.lot_id, n.available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.customer_reference) is distinct from (i.token, i.latitude, i.longitude, i.status, i.technology, i.country, i.address_id, i.address, i.lot_id, i.available_from, i.units, i.units_connected, i.download_mbps, i.upload_mbps, i.customer_reference) as differs
  from import_row i
  full join (
    select n.*
  from access_node n
  where n.tenant = $1
    and n.collection = $2
    and n.relation_id = $3
  ) n on n.customer_reference = i.customer_reference
), matched as materialized (
  select p.place, p.node_id, p.differs
  from paired p
  where p.place is not null
    and p.node_id is not null
), deleted as (
  select p.node_id, p.customer_reference
  from paired p
  where p.place is null
), counted as (
  select
    count(*)::int as matched,
    (count(*) filter (where m.differs))::int as different
  from matched m
)
select
  c.matched,
  c.different,
  c.different as updated,
  (select count(*)::int from import_row) - c.matched as created,
  (select count(*)::int from paired p where p.place is null) as absent,
  (select count(*)::int from deleted) as deleted,
  coalesce((
    select json_agg(json_strip_nulls(row_to_json(f)))
    from (
      select d.node_id, d.customer_reference
      from deleted d
      order by d.customer_reference, d.node_id
      limit 1000
    ) f
  ), '[]') as "deletedNodes"
from counted c;

with removed as (
  delete from import_row i where i.place > $1
)
select count(*)::int as count
from import_row i
where i.place <= $1;

with held as materialized (
  select r.relation_id from relation r where r.tenant = $1 and r.relation_id = any(array(select distinct i.relation_id from import_row i)) for key share
), removed as (
  delete from import_row i
  where not exists (select from held h where h.relation_id = i.relation_id)
  returning i.place, i.place_end, 'must be a relation that you have created' as detail
)

select
  coalesce((
    select json_agg(p order by p.place)
    from (select r.place, r.place_end as end from removed r order by r.place limit $2) p
  ), '[]') as places,
  coalesce((
    select json_agg(f order by f.place)
    from (select r.place, r.detail from removed r order by r.place limit $3) f
  ), '[]') as faults;

delete from finished_import f
using (
  select o.import_id
  from finished_import o
  where o.created_at < now() - interval '25 hours'
  limit 1000
  for update skip locked
) o
where f.import_id = o.import_id
returning f.import_id;
