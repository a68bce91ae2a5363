select min(f.kind) as kind, f.id, min(f.label) as label, 'name' as matched, f.folded = $1 as is_exact
from (
  select 'relation' as kind, r.relation_id as id, r.name as label, lower(r.name collate "C") as folded
  from relation r where r.tenant = $2 and r.name is not null and lower(r.name collate "C") >= $1 and lower(r.name collate "C") < $3
  order by lower(r.name collate "C"), r.relation_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'customer_reference' as matched, f.folded = $1 as is_exact
from (
  select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.customer_reference as label, lower(n.customer_reference collate "C") as folded
  from access_node n where n.tenant = $2 and n.customer_reference is not null and lower(n.customer_reference collate "C") >= $1 and lower(n.customer_reference collate "C") < $3
  order by lower(n.customer_reference collate "C"), n.node_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'address_id' as matched, f.folded = $1 as is_exact
from (
  select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.address_id as label, lower(n.address_id collate "C") as folded
  from access_node n where n.tenant = $2 and n.address_id is not null and lower(n.address_id collate "C") >= $1 and lower(n.address_id collate "C") < $3
  order by lower(n.address_id collate "C"), n.node_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select 'relation' as kind, r.relation_id as id, r.name as label, 'relation_id' as matched, $1::boolean as is_exact
from relation r where r.tenant = $2 and r.relation_id between $3 and $4
order by r.relation_id limit 10;

select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.latitude || ', ' || n.longitude as label, 'node_id' as matched, $1::boolean as is_exact
from access_node n where n.tenant = $2 and n.collection = 'nodes' and n.node_id between $3 and $4
order by n.node_id limit 10;

select case n.collection when 'nodes' then 'node' else 'prenode' end as kind, n.node_id as id, n.latitude || ', ' || n.longitude as label, 'node_id' as matched, $1::boolean as is_exact
from access_node n where n.tenant = $2 and n.collection = 'prenodes' and n.node_id between $3 and $4
order by n.node_id limit 10;
