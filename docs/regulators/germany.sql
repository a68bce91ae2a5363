-- From nodes.csv, an export, and entities.ndjson, the active entities, to how many homes are passed, prepared, connected
-- and active (homes.csv): see docs/regulators.md. For DuckDB 1.5.

set variable as_of = date '2026-12-31'; -- the day of the report

create table node as
select coalesce(units::int, 1) as units, coalesce(units_connected::int, 0) as connected -- a node without units is one home
from read_csv('nodes.csv', all_varchar = true)
where status <> 'terminated' and token = 'operation' and coalesce(available_from::date <= getvariable('as_of'), true);

copy (
  select
    coalesce(sum(units), 0) as passed,
    coalesce(sum(units) filter (where connected > 0), 0) as prepared, -- the fibre is in the building
    coalesce(sum(connected), 0) as connected,
    (select count(*) from read_ndjson('entities.ndjson', columns = {entity_id: 'varchar'})) as active
  from node
) to 'homes.csv';
