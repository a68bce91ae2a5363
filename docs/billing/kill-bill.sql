-- Makes of totals.csv what Kill Bill's API takes: kill-bill-usage.ndjson, with a body of POST /1.0/kb/usages in each line. Kill Bill has the
-- prices, in its catalog, with a unit for the days of each article. subscriptions.csv has Kill Bill's id of each ISP's subscription.

set variable month = '2026-02';

create table total as
select t.*, s.subscription_id
from read_csv('totals.csv', all_varchar = true) t left join read_csv('subscriptions.csv', all_varchar = true) s using (partner_id);

select error('subscriptions.csv has no subscription for ' || partner_id) from total where subscription_id is null;

copy (
  select
    subscription_id as "subscriptionId",
    -- Kill Bill refuses a trackingId that it has recorded already.
    concat_ws('/', getvariable('month'), partner_id) as "trackingId",
    list({
      unitType: article_code || '-days',
      usageRecords: [{recordDate: last_day((getvariable('month') || '-01')::date)::varchar, amount: days::decimal(18, 2)}]
    } order by article_code) as "unitUsageRecords"
  from total group by partner_id, subscription_id order by partner_id
) to 'kill-bill-usage.ndjson' (format json);
