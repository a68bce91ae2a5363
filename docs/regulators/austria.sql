-- From nodes.csv, an export, to the lines that can be connected (zib-lines.csv) and those that are planned
-- (zib-plans.csv), by cell of 100 m and technology: see docs/regulators.md. For DuckDB 1.5.

set variable as_of = date '2026-12-31'; -- the last day of the quarter

-- WGS 84 to ETRS89-LAEA (EPSG:3035), written out so that DuckDB need not download an extension; the formulas are in
-- J. P. Snyder, Map Projections: A Working Manual (1987), page 187. The latitude on a sphere with the same surface as
-- the ellipsoid is represented by its sine `y` and its cosine `x`.
set variable e2 = 0.0066943800229; -- GRS 80
create macro q(sine) as (1 - getvariable('e2')) * (sine / (1 - getvariable('e2') * sine ** 2)
  + atanh(sqrt(getvariable('e2')) * sine) / sqrt(getvariable('e2')));
create macro sphere(latitude) as q(sin(radians(latitude))) / q(1);
set variable r = 6378137 * sqrt(q(1) / 2);
set variable y0 = sphere(52);
set variable x0 = sqrt(1 - getvariable('y0') ** 2);
set variable d = 6378137 * cos(radians(52)) / sqrt(1 - getvariable('e2') * sin(radians(52)) ** 2)
  / (getvariable('r') * getvariable('x0'));

create table line as -- one row for each line; a node without units is one line
select
  radians(longitude::double - 10) as turn,
  sphere(latitude::double) as y,
  sqrt(1 - y ** 2) as x,
  getvariable('r') * sqrt(2 / (1 + getvariable('y0') * y + getvariable('x0') * x * cos(turn))) as b,
  4321000 + b * getvariable('d') * x * sin(turn) as east,
  3210000 + b / getvariable('d') * (getvariable('x0') * y - getvariable('y0') * x * cos(turn)) as north,
  '100mN' || floor(north / 100)::int || 'E' || floor(east / 100)::int as cell,
  lower(coalesce(technology, '')) as technology,
  available_from::date as available_from,
  token = 'operation' and coalesce(available_from::date <= getvariable('as_of'), true) as is_connectable,
  download_mbps::double as download,
  upload_mbps::double as upload
from read_csv('nodes.csv', all_varchar = true), range(coalesce(units::int, 1))
where status <> 'terminated';

copy (
  select cell, technology, count(*) as lines,
    min(download) as download_min, max(download) as download_max,
    round(avg(download), 3) as download_mean, quantile_disc(download, 0.25) as download_q25,
    min(upload) as upload_min, max(upload) as upload_max,
    round(avg(upload), 3) as upload_mean, quantile_disc(upload, 0.25) as upload_q25
  from line
  where is_connectable
  group by all order by all
) to 'zib-lines.csv';

copy (
  select cell, technology, available_from, count(*) as lines, max(download) as download_max, max(upload) as upload_max
  from line
  where not is_connectable
  group by all order by all
) to 'zib-plans.csv';
