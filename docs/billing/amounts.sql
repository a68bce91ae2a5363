-- Multiplies totals.csv, from `fibre totals --format csv`, by prices.csv, without tax: writes amounts.csv, with a line for each item of an
-- invoice, and invoices.csv, with a line for each ISP. A month costs its price however many days it has, and a part of it the share of its
-- days. For DuckDB 1.5.

set variable days_in_month = 28;

create table price as
select article_code, columns('per_month|set_up|change|exit')::decimal(12, 2) from read_csv('prices.csv', all_varchar = true);

create table total as
select partner_id, article_code, days::decimal(18, 2) as days, started::int as started, added::int as added, ended::int as ended
from read_csv('totals.csv', all_varchar = true);

select error('prices.csv has no price for ' || article_code) from total anti join price using (article_code);

create table item as
select partner_id, article_code, item, quantity, price, cents
from total join price using (article_code), lateral (
  values
    -- In cents and hundredths of a day: a number with a floating point would round some half cents down.
    ('days', days, per_month,
      (2 * (days * 100)::hugeint * (per_month * 100)::hugeint + 100 * getvariable('days_in_month')) // (200 * getvariable('days_in_month'))),
    ('set-up', started, set_up, (started * set_up * 100)::hugeint),
    ('change', added, change, (added * change * 100)::hugeint),
    ('exit', ended, exit, (ended * exit * 100)::hugeint)
) fee (item, quantity, price, cents)
where cents > 0;

copy (
  select partner_id, article_code, item, quantity, price, (cents / 100)::decimal(18, 2) as amount from item
  order by partner_id, article_code, item
) to 'amounts.csv';
copy (
  select partner_id, (sum(cents) / 100)::decimal(18, 2) as amount from item group by partner_id order by partner_id
) to 'invoices.csv';
