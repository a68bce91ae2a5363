-- From nodes.csv, an export, to the location list of the FCC's Broadband Data Collection (bdc.csv), and the nodes that
-- cannot be in it, with the reason (bdc-left-out.csv): see docs/regulators.md. For DuckDB 1.5.

set variable as_of = date '2026-12-31';
set variable brand_name = 'Open Access Fibre';
set variable low_latency = 1; -- 1: at most 100 ms for the round trip
set variable business_residential_code = 'X'; -- B: business, R: residential, X: both

create table code as from (values ('dsl', 10), ('docsis', 40), ('ftth', 50)) as code(technology, code);

create table node as
select customer_reference, latitude, longitude, address_id, code,
  floor(download_mbps::decimal(12, 3))::int as download, -- the FCC rejects decimals
  floor(upload_mbps::decimal(12, 3))::int as upload,
  case
    when status = 'terminated' then 'it is terminated'
    when token <> 'operation' then 'it is not in operation'
    when available_from::date > getvariable('as_of') then 'it cannot be ordered yet'
    when address_id is null or not regexp_full_match(address_id, '1[0-9]{9}') then 'address_id is not a location_id'
    when code is null then 'technology has no code in this file'
    when download is null or upload is null then 'a speed is missing'
    when download < 25 or upload < 3 then 'below 25/3 Mbit/s, for which the FCC prescribes values'
  end as reason
from read_csv('nodes.csv', all_varchar = true) left join code on code.technology = lower(read_csv.technology);

copy (
  select null as provider_id, getvariable('brand_name') as brand_name, address_id as location_id, code as technology,
    max(download) as max_advertised_download_speed, max(upload) as max_advertised_upload_speed,
    getvariable('low_latency') as low_latency, getvariable('business_residential_code') as business_residential_code
  from node
  where reason is null
  group by all order by all
) to 'bdc.csv';

copy (
  select customer_reference, latitude, longitude, address_id, reason from node where reason is not null order by all
) to 'bdc-left-out.csv';
