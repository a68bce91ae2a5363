-- Makes what Lago's API takes: of amounts.csv (see amounts.sql) lago-invoices.ndjson, with a body of POST /api/v1/invoices in each line, an
-- invoice with add-ons for each ISP; of totals.csv lago-usage.ndjson, with bodies of POST /api/v1/events/batch, if Lago has the prices.
-- The customer and the subscription in Lago have the partner_id as their external id.

set variable month = '2026-02';

copy (
  select {
    external_customer_id: partner_id,
    currency: 'EUR',
    fees: list({
      -- An add-on for each article and item, such as FIBRE-100_set-up.
      add_on_code: article_code || '_' || item,
      units: '1',
      unit_amount_cents: round(amount::decimal(18, 2) * 100)::bigint,
      description: quantity || ' x ' || price || if(item = 'days', ' for each month, ', ', ') || getvariable('month')
    } order by article_code, item)
  } as invoice
  from read_csv('amounts.csv', all_varchar = true) group by partner_id order by partner_id
) to 'lago-invoices.ndjson' (format json);

-- Lago takes at most 100 events at a time, and an event with the same transaction_id once.
copy (
  select list({
    transaction_id: concat_ws('/', getvariable('month'), partner_id, article_code),
    external_subscription_id: partner_id,
    -- A metric that sums up `days`, with a filter for each `article`.
    code: 'line_days',
    timestamp: epoch((getvariable('month') || '-01')::date + interval '1 month' - interval '12 hours')::bigint,
    properties: {article: article_code, days: days}
  } order by place) as events
  from (
    select *, row_number() over (order by partner_id, article_code) as place
    from read_csv('totals.csv', all_varchar = true)
  )
  group by (place - 1) // 100 order by (place - 1) // 100
) to 'lago-usage.ndjson' (format json);
