select min(f.kind) as kind, f.id, min(f.label) as label, 'name' as matched, f.folded = $1 as is_exact
from (
  select 'isp' as kind, i.partner_id as id, i.name as label, lower(i.name collate "C") as folded
  from isp i where i.tenant = $2 and i.namespace_id = $3 and i.name is not null and strpos(' ' || translate(lower(i.name collate "C"), '-/&.,:;()+_', '           '), ' ' || translate($1::text, '-/&.,:;()+_', '           ')) > 0
  order by lower(i.name collate "C"), i.partner_id limit 1000
) f
group by f.folded, f.id
order by not starts_with(f.folded, $1), f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'option82' as matched, f.folded = $1 as is_exact
from (
  select 'entity' as kind, e.entity_id as id, (e.sys_attributes ->> 'option82') as label, lower((e.sys_attributes ->> 'option82') collate "C") as folded
  from event e where e.tenant = $2 and e.namespace_id = $3 and e.event_type <> 'notification' and (e.sys_attributes ->> 'option82') is not null and lower((e.sys_attributes ->> 'option82') collate "C") >= $1 and lower((e.sys_attributes ->> 'option82') collate "C") < $4
  order by lower((e.sys_attributes ->> 'option82') collate "C"), e.entity_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'partner_reference' as matched, f.folded = $1 as is_exact
from (
  select 'entity' as kind, e.entity_id as id, (e.sys_attributes ->> 'partner_reference') as label, lower((e.sys_attributes ->> 'partner_reference') collate "C") as folded
  from event e where e.tenant = $2 and e.namespace_id = $3 and e.event_type <> 'notification' and (e.sys_attributes ->> 'partner_reference') is not null and lower((e.sys_attributes ->> 'partner_reference') collate "C") >= $1 and lower((e.sys_attributes ->> 'partner_reference') collate "C") < $4
  order by lower((e.sys_attributes ->> 'partner_reference') collate "C"), e.entity_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'usr_reference' as matched, f.folded = $1 as is_exact
from (
  select 'entity' as kind, e.entity_id as id, e.usr_reference as label, lower(e.usr_reference collate "C") as folded
  from event e where e.tenant = $2 and e.namespace_id = $3 and e.usr_reference is not null and lower(e.usr_reference collate "C") >= $1 and lower(e.usr_reference collate "C") < $4
  order by lower(e.usr_reference collate "C"), e.entity_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select min(f.kind) as kind, f.id, min(f.label) as label, 'reference' as matched, f.folded = $1 as is_exact
from (
  select 'closing' as kind, c.closing_id as id, c.reference as label, lower(c.reference collate "C") as folded
  from closing c where c.tenant = $2 and c.namespace_id = $3 and c.reference is not null and lower(c.reference collate "C") >= $1 and lower(c.reference collate "C") < $4
  order by lower(c.reference collate "C"), c.closing_id limit 1000
) f
group by f.folded, f.id
order by f.folded, f.id limit 10;

select 'isp' as kind, i.partner_id as id, i.name as label, 'partner_id' as matched, $1::boolean as is_exact
from isp i where i.tenant = $2 and i.namespace_id = $3 and i.partner_id between $4 and $5
order by i.partner_id limit 10;

select 'entity' as kind, t.entity_id as id, t.entity_id::text as label, 'entity_id' as matched, $1::boolean as is_exact
from timeline t where t.tenant = $2 and t.namespace_id = $3 and t.entity_id between $4 and $5
order by t.entity_id limit 10;

select 'event' as kind, e.event_id as id, e.entity_id::text as label, 'event_id' as matched, $1::boolean as is_exact
from event e where e.tenant = $2 and e.namespace_id = $3 and e.event_id between $4 and $5
order by e.event_id limit 10;
