import { monthWindow, type PeriodQuery } from '@fibre/client';
import { useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { useFilters } from '../../hooks/use-filters.js';
import { useLoad } from '../../hooks/use-load.js';
import { LARGEST_PAGE, listingOf } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { formatNumber } from '../../texts.js';
import { ExportButtons } from '../../ui/export-buttons.js';
import { Failure } from '../../ui/failure.js';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { Page } from '../../ui/page.js';
import { Section } from '../../ui/section.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { useIsps } from '../entities/isps.js';
import { USUAL_ZONE } from '../entities/local-time.js';
import { Moment } from '../entities/parts.js';
import { texts } from './billing-texts.js';
import { Corrections } from './corrections.js';
import { type Total, Totals } from './totals.js';
import '../entities/entities.css';

const DAY_DECIMALS = 100;
const lastMonth = (): string => Temporal.Now.plainDateISO(USUAL_ZONE).toPlainYearMonth().subtract({ months: 1 }).toString();

export function BillingPage() {
  const t = texts();
  const isps = useIsps();
  const { filters, change, key } = useFilters(['month', 'partner_id', 'since']);
  const { month = lastMonth(), partner_id, since } = filters;
  const window = monthWindow(month);
  const search = window && { ...window, ...(partner_id !== undefined && { partner_id }) };
  const isDay = since === undefined || /^\d{4}-\d\d-\d\d$/.test(since);
  return (
    <Page title={t.billing}>
      <p class="fine">{t.explanation}</p>
      <FilterFields
        filters={{ ...filters, month }}
        change={change}
        fields={[
          { name: 'month', label: t.month, hint: t.monthHint, type: 'month', error: window ? undefined : { text: t.noMonth } },
          { name: 'partner_id', label: t.isp, records: isps },
          { name: 'since', label: t.since, hint: t.sinceHint, type: 'date', error: isDay ? undefined : { text: t.noDay } },
        ]}
      />
      {search && <MonthTotals key={`totals ${key}`} search={search} month={month} />}
      {search && since !== undefined && isDay && <Corrections key={`corrections ${key}`} search={search} since={since} />}
    </Page>
  );
}

function MonthTotals({ search, month }: { search: PeriodQuery; month: string }) {
  const t = texts();
  const { fibre } = useApp();
  const [steps, setSteps] = useState(0);
  const load = async (signal: AbortSignal): Promise<{ totals: Total[]; recordedUntil?: string }> => {
    const totals = new Totals();
    let recordedUntil: string | undefined;
    for await (const page of fibre.periods.list({ ...search, _page_size: LARGEST_PAGE }, { signal }).pages()) {
      for (const step of page.items) totals.add(step);
      recordedUntil = page.recordedUntil;
      setSteps(totals.steps);
    }
    return { totals: totals.all, recordedUntil };
  };
  const { data, isLoading, error, reload } = useLoad(load, '');
  return (
    <Section title={t.totals} class="section part">
      {isLoading && <p role="status">{t.steps(formatNumber(steps))}</p>}
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {data && <TotalsTable totals={data.totals} />}
      {data?.recordedUntil !== undefined && <RecordedUntil at={data.recordedUntil} search={search} month={month} />}
    </Section>
  );
}

function TotalsTable({ totals }: { totals: readonly Total[] }) {
  const t = texts();
  const columns: Column<Total>[] = [
    { title: t.article, cell: ({ article }) => <code>{article}</code> },
    { title: t.entities, cell: ({ entities }) => formatNumber(entities) },
    { title: t.days, cell: ({ days }) => formatNumber(Math.round(days * DAY_DECIMALS) / DAY_DECIMALS) },
  ];
  return (
    <ListingTable
      listing={listingOf(totals)}
      caption={t.totals}
      columns={columns}
      keyOf={({ article }) => article}
      empty={<p>{t.none}</p>}
    />
  );
}

/** When the totals were recorded, and the file with the same steps. */
function RecordedUntil({ at, search, month }: { at: string; search: PeriodQuery; month: string }) {
  const t = texts();
  const { fibre } = useApp();
  const read = (options: object) => fibre.periods.export({ ...search, recorded_until: at, format: 'csv' }, options);
  return (
    <>
      <p class="fine">
        {t.recordedUntil} <Moment at={at} zone={USUAL_ZONE} />
      </p>
      <ExportButtons files={[{ label: t.csv, name: `periods-${month}.csv`, read }]} />
    </>
  );
}
