select count(*)::int as total from (select 1 from timeline t where t.tenant = $1 and t.namespace_id = $2 and t.state = $3 limit 10000 + 1) counted;

select count(*)::int as total from (select 1 from event e where e.tenant = $1 and e.namespace_id = $2 and e.created_at >= $3::timestamptz and e.event_id >= $4::uuid limit 10000 + 1) counted;
