select count(*)::int as total from (select 1 from access_node n where n.tenant = $1 and n.collection = $2 and n.token = $3 limit 10000 + 1) counted;

select count(*)::int as total from (select 1 from access_node n where n.tenant = $1 and n.collection = $2 and n.units_connected > 0 limit 10000 + 1) counted;

select count(*)::int as total from (select 1 from relation r where r.tenant = $1 limit 10000 + 1) counted;

with recursive used as (
  (select n.relation_id from access_node n where n.tenant = $1 order by n.relation_id desc limit 1)
  union all
  select (
    select n.relation_id from access_node n
    where n.tenant = $1 and n.relation_id < u.relation_id
    order by n.relation_id desc limit 1
  )
  from used u
  where u.relation_id is not null
), walked as materialized (
  select u.relation_id from used u where u.relation_id is not null limit 10000
), waiting as materialized (
  select w.relation_id, r.name, coalesce(r.relation_id, first.node_id) as since
  from walked w
  cross join lateral (
    select n.node_id from access_node n
    where n.tenant = $1 and n.relation_id = w.relation_id and n.collection = 'prenodes'
    order by n.node_id limit 1
  ) first
  left join relation r on r.tenant = $1 and r.relation_id = w.relation_id
)
select (select count(*)::int from walked) as walked, (select count(*)::int from waiting) as count, coalesce(
  (select json_agg(f order by f.since desc) from (select w.* from waiting w order by w.since desc limit 10) f), '[]'
) as first;

select to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') as created_at, f.created_by, f.relation_id, r.name, (f.report ->> 'rows')::int as rows, (f.report ->> 'created')::int as created, (f.report ->> 'updated')::int as updated, (f.report ->> 'unchanged')::int as unchanged, (f.report ->> 'refused')::int as refused, (f.report ->> 'deleted')::int as deleted, (count(*) over ())::int as total
from finished_import f left join relation r on r.tenant = f.tenant and r.relation_id = f.relation_id
where f.tenant = $1 and f.created_at >= now() - interval '1 day'
order by f.created_at desc, f.import_id desc limit 1000;
