select count(*)::int as total from (select 1 from access_node n where n.tenant = $1 and n.collection = $2 and n.token = $3 limit 10000 + 1) counted;

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
)
select w.relation_id, r.name
from (
  select u.relation_id
  from (select u.relation_id from used u limit 1000) u
  where exists (
    select from access_node n where n.tenant = $1 and n.relation_id = u.relation_id and n.collection = 'prenodes'
  )
  limit 10
) w
left join relation r on r.tenant = $1 and r.relation_id = w.relation_id
order by w.relation_id desc;

select to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') as created_at, a.relation_id, r.name, (a.report ->> 'rows')::int as rows, (a.report ->> 'created')::int as created, (a.report ->> 'updated')::int as updated, (a.report ->> 'refused')::int as refused
from import_answer a left join relation r on r.tenant = a.tenant and r.relation_id = a.relation_id
where a.tenant = $1 and a.report is not null and a.created_at >= now() - interval '1 day'
order by a.created_at desc limit 5;
