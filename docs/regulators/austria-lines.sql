-- From entities.ndjson, the active entities, to the lines in use by speed (zib-active.csv, table B10) and by internet
-- service provider (zib-isps.csv, for C10): see docs/regulators.md. For DuckDB 1.5.

-- The speed of each article, in Mbit/s: replace these with yours.
create table article as
from (values ('FIBRE-100', 100, 50), ('FIBRE-250', 250, 100), ('FIBRE-1000', 1000, 500)) as article(code, download, upload);

create table line as -- an entity with several articles has the speed of the fastest
select entity_id, partner_id, max(download) as download, max(upload) as upload
from (
  select entity_id, partner_id, unnest(article_codes) as code
  from read_ndjson('entities.ndjson', columns = {entity_id: 'varchar', partner_id: 'varchar', article_codes: 'varchar[]'})
) as sold left join article on article.code = sold.code
group by all;

copy (
  -- Lines without a speed have only articles that the table above lacks.
  select download, upload, count(*) as lines from line group by all order by all
) to 'zib-active.csv';

copy (
  select partner_id, count(*) as lines from line group by all order by all
) to 'zib-isps.csv';
