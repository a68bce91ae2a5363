with record as materialized (
  select r.relation_id, format('{"relation_id":"%s","tenant":%s,"pip":%s%s%s%s%s%s,"nodes":%s,"modified_at":"%s"}', r.relation_id, to_json(r.tenant)::text, to_json(r.pip)::text, ',"operator":' || to_json(r.operator)::text, ',"contact_name":' || to_json(r.contact_name)::text, ',"contact_email":' || to_json(r.contact_email)::text, ',"contact_phone":' || to_json(r.contact_phone)::text, ',"order_url":' || to_json(r.order_url)::text, format('{"planned":%s,"construction":%s,"operation":%s}', r.planned, r.construction, r.operation), to_char(r.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) as json
  from (
select r.*, c.*
from (
  select r.* from relation r
  where exists (select from access_node n where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = 'nodes') and r.tenant = $1
  order by r.relation_id limit $2::int + 1
) r
cross join lateral (select count(*) filter (where c.token = 'planned') as planned, count(*) filter (where c.token = 'construction') as construction, count(*) filter (where c.token = 'operation') as operation from (select n.token from access_node n where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = 'nodes' limit 100000 + 1) c) c) r
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.relation_id order by r.place) filter (where not r.fits))[1] as next_relation_id
from (
  select r.*, r.place <= $2::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.relation_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;

select count(*)::int as total from (select 1 from relation r where exists (select from access_node n where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = 'nodes') and r.tenant = $1 limit 10000 + 1) counted;

with record as materialized (
  select r.relation_id, format('{"relation_id":"%s","tenant":%s,"pip":%s%s%s%s%s%s,"nodes":%s,"modified_at":"%s"}', r.relation_id, to_json(r.tenant)::text, to_json(r.pip)::text, ',"operator":' || to_json(r.operator)::text, ',"contact_name":' || to_json(r.contact_name)::text, ',"contact_email":' || to_json(r.contact_email)::text, ',"contact_phone":' || to_json(r.contact_phone)::text, ',"order_url":' || to_json(r.order_url)::text, format('{"planned":%s,"construction":%s,"operation":%s}', r.planned, r.construction, r.operation), to_char(r.modified_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')) as json
  from (
select r.*, c.*
from (
  select r.* from relation r
  where exists (select from access_node n where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = 'nodes') and r.relation_id = $1
  order by r.relation_id limit $2::int + 1
) r
cross join lateral (select count(*) filter (where c.token = 'planned') as planned, count(*) filter (where c.token = 'construction') as construction, count(*) filter (where c.token = 'operation') as operation from (select n.token from access_node n where n.tenant = r.tenant and n.relation_id = r.relation_id and n.collection = 'nodes' limit 100000 + 1) c) c) r
)
select
  string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
  count(*) filter (where r.fits)::int as records,
  (array_agg(r.relation_id order by r.place) filter (where not r.fits))[1] as next_relation_id
from (
  select r.*, r.place <= $2::int and (r.place = 1 or r.bytes < 8388608) as fits
  from (
    select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
    from record r window page as (order by r.relation_id)
  ) r
) r
group by (r.place - 1) / 64
order by (r.place - 1) / 64;
