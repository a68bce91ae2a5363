select min(f.kind) as kind, f.id, min(f.label) as label, 'name' as matched, f.folded = $1 as is_exact
from (
  select 'relation' as kind, r.relation_id as id, r.name as label, lower(r.name collate "C") as folded
  from relation r where r.tenant = $2 and r.name is not null and strpos(' ' || translate(lower(r.name collate "C"), '-/&.,:;()+_', '           '), ' ' || translate($1::text, '-/&.,:;()+_', '           ')) > 0
  order by lower(r.name collate "C"), r.relation_id limit 1000
) f
group by f.folded, f.id
order by not starts_with(f.folded, $1), f.folded, f.id limit 10;

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
