select begin_publication($1);

select pg_advisory_xact_lock(hashtext('relations of ' || $1), l.number) from (
  select distinct hashtext(r.relation_id::text) & 255 as number from (select $2::uuid as relation_id) r order by number
) l;

select from access_node n
where n.tenant = $1 and n.relation_id = $2 and n.collection = 'prenodes'
order by n.node_id
for update;

with found as materialized (
  select p.*, n.node_id as counterpart_id, (n.token, n.latitude, n.longitude, n.status, n.technology, n.country, n.address_id, n.address, n.lot_id, n.available_from, n.units, n.units_connected, n.download_mbps, n.upload_mbps, n.customer_reference) is distinct from (p.token, p.latitude, p.longitude, p.status, p.technology, p.country, p.address_id, p.address, p.lot_id, p.available_from, p.units, p.units_connected, p.download_mbps, p.upload_mbps, p.customer_reference) as differs
  from access_node p
  left join lateral (
    select n.*
    from access_node n
    where n.tenant = p.tenant and n.relation_id = p.relation_id and n.collection = 'nodes'
      and n.customer_reference >= p.customer_reference
    order by n.customer_reference limit 1
  ) n on n.customer_reference = p.customer_reference
  where p.tenant = $1 and p.relation_id = $2 and p.collection = 'prenodes'
  for update of p
), updated as (
  update access_node n
  set token = f.token, latitude = f.latitude, longitude = f.longitude, status = f.status, technology = f.technology, country = f.country, address_id = f.address_id, address = f.address, lot_id = f.lot_id, available_from = f.available_from, units = f.units, units_connected = f.units_connected, download_mbps = f.download_mbps, upload_mbps = f.upload_mbps, customer_reference = f.customer_reference,
    version = n.version + 1, modified_at = (select write_time()), modified_by = $3, publication = default
  from found f
  where f.differs and n.node_id = f.counterpart_id and n.collection = 'nodes' and n.customer_reference = f.customer_reference
  returning f.node_id
), merged as (
  select u.node_id from updated u union all select f.node_id from found f where not f.differs
), replaced as (
  delete from access_node p using merged m where p.node_id = m.node_id
), inserted as (
  update access_node p
  set collection = 'nodes', version = p.version + 1, modified_at = (select write_time()), modified_by = $4, publication = default
  from found f
  where p.node_id = f.node_id and f.counterpart_id is null and p.collection = 'prenodes'
  returning p.node_id
)
select
  (select count(*)::int from found) as found,
  (select count(*)::int from inserted) as inserted,
  (select count(*)::int from merged) as updated;

update publication p set published_at = write_time() where p.tenant = $1 and p.published_at is null;

with deleted as (
  delete from access_node n where n.tenant = $1 and n.relation_id = $2 and n.collection = $3 returning 1
)
select count(*)::int as count from deleted;
