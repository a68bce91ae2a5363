select count(*)::int as total from (select 1 from access_node n where n.tenant = $1 and n.collection = $2 and n.token = $3 limit $4::int) counted;

select (select count(*)::int from (select from relation r where r.tenant = $1 limit 10000 + 1) counted) as relations;

select r.relation_id, r.name, (select count(*)::int from (select from access_node n where n.tenant = $1 and n.relation_id = r.relation_id and n.collection = 'prenodes' limit 10000 + 1) counted) as prenodes
from (
  select r.* from (select r.* from relation r where r.tenant = $1 order by r.relation_id desc limit 200) r
  where exists (select from access_node n where n.tenant = $1 and n.relation_id = r.relation_id and n.collection = 'prenodes')
  order by r.relation_id desc limit 5
) r
order by r.relation_id desc;

select to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') as created_at, (a.report ->> 'rows')::int as rows, (a.report ->> 'created')::int as created, (a.report ->> 'updated')::int as updated, (a.report ->> 'refused')::int as refused
from import_answer a
where a.tenant = $1 and a.report is not null and a.created_at >= now() - interval '1 day'
order by a.created_at desc limit 5;
