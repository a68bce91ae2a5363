select count(*)::int as total from (select 1 from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.state = $3 limit 10000 + 1) counted;

select count(*)::int as total from (select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid limit 10000 + 1) counted;

select 0 as place, count(*)::int as activations, 0 as deactivations
from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.state = 'active'
union all
select 1 as place, count(*) filter (where e.event_type = 'activation')::int as activations,
  count(*) filter (where e.event_type = 'deactivation')::int as deactivations
from event e
where e.tenant = $1 and e.namespace_id = $2 and e.event_type in ('activation', 'deactivation')
  and e.event_at >= $3::timestamptz and e.event_at < $4::timestamptz
union all
select 2 as place, count(*) filter (where e.event_type = 'activation')::int as activations,
  count(*) filter (where e.event_type = 'deactivation')::int as deactivations
from event e
where e.tenant = $1 and e.namespace_id = $2 and e.event_type in ('activation', 'deactivation')
  and e.event_at >= $4::timestamptz;
