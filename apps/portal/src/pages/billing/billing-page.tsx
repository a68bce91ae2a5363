import { monthWindow, type PeriodQuery } from '@fibre/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Temporal } from 'temporal-polyfill';
import { useLoad } from '../../hooks/use-load.js';
import { LARGEST_PAGE, listingOf } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { formatNumber } from '../../texts.js';
import { ExportButtons } from '../../ui/export-buttons.js';
import { Failure } from '../../ui/failure.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { useIsps } from '../entities/isps.js';
import { USUAL_ZONE } from '../entities/local-time.js';
import { Moment } from '../entities/parts.js';
import { type BillingChoice, BillingFilter } from './billing-filter.js';
import { texts } from './billing-texts.js';
import { Corrections } from './corrections.js';
import { type Total, Totals } from './totals.js';
import '../entities/entities.css';

const DAY_DECIMALS = 100;
const lastMonth = (): string => Temporal.Now.plainDateISO(USUAL_ZONE).toPlainYearMonth().subtract({ months: 1 }).toString();

export function BillingPage() {
  const t = texts();
  const isps = useIsps();
  const { query } = useLocation();
  const choice: BillingChoice = {
    month: query['month'] ?? lastMonth(),
    partner_id: query['partner_id'] ?? '',
    since: query['since'] ?? '',
  };
  const window = monthWindow(choice.month);
  const search = window && { ...window, ...(choice.partner_id !== '' && { partner_id: choice.partner_id }) };
  const key = JSON.stringify(choice);
  return (
    <Page title={t.billing}>
      <p class="fine">{t.explanation}</p>
      <BillingFilter key={key} choice={choice} isps={isps} />
      {search && <MonthTotals key={`totals ${key}`} search={search} month={choice.month} />}
      {search && choice.since !== '' && <Corrections key={`corrections ${key}`} search={search} since={choice.since} />}
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
    <section class="section part">
      <h2>{t.totals}</h2>
      {isLoading && <p role="status">{t.steps(formatNumber(steps))}</p>}
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {data && <TotalsTable totals={data.totals} />}
      {data?.recordedUntil !== undefined && <RecordedUntil at={data.recordedUntil} search={search} month={month} />}
    </section>
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
