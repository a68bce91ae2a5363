import { type ChargedStep, type Correction, type CorrectionQuery, monthWindow, type PeriodQuery } from '@fibre/client';
import { useState } from 'preact/hooks';
import { Temporal } from 'temporal-polyfill';
import { useFilters } from '../../hooks/use-filters.js';
import { useLoad } from '../../hooks/use-load.js';
import { LARGEST_PAGE, listingOf, useListing } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { defineTexts, formatNumber } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { ExportButtons } from '../../ui/transfer.js';
import { Failure } from '../../ui/failure.js';
import { TextFilter } from '../../ui/form/field.js';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { Page, Section } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { Articles, EntityLink, Moment, useIsps } from '../entities/parts.js';
import { USUAL_ZONE } from '../entities/local-time.js';
import { type Instant, instantOf, isAfter } from './instant.js';
import { type Total, Totals } from './totals.js';
import '../entities/entities.css';

const texts = defineTexts({
  explanation: ['The charges for a month, and what has changed since.', 'Was in einem Monat anfällt, und was sich seither geändert hat.'],
  month: ['Month', 'Monat'],
  monthHint: ['Such as 2026-10; from midnight to midnight, Vienna time.', 'Etwa 2026-10, von Mitternacht bis Mitternacht in Wien.'],
  noMonth: ['Enter a month, such as 2026-10.', 'Geben Sie einen Monat an, etwa 2026-10.'],
  since: ['Corrections since', 'Korrekturen seit'],
  sinceHint: [
    'The instant of the invoice; the name of its CSV file contains it.',
    'Der Stand der Rechnung; der Name ihrer CSV-Datei enthält ihn.',
  ],
  noInstant: [
    (example: string) => `Enter a date and a time with UTC offset, such as ${example}.`,
    (example) => `Geben Sie Datum und Uhrzeit mit UTC-Abstand an, etwa ${example}.`,
  ],
  tooLate: ['This is later than the instant of the totals.', 'Das ist später als der Stand der Summen.'],
  instant: ['instant', 'Stand'],
  totals: ['Totals by article', 'Summen je Artikel'],
  article: ['Article', 'Artikel'],
  days: ['Entity-days', 'Entitätstage'],
  none: ['No subscription was active in this month.', 'In diesem Monat lief kein Abonnement.'],
  steps: [(count: string) => `${count} steps counted …`, (count) => `${count} Schritte gezählt …`],
  recordedUntil: [
    'This page includes events recorded until this instant. Keep it with the invoice: later events become corrections.',
    'Diese Seite enthält Ereignisse, die bis zu diesem Stand erfasst wurden. Bewahren Sie ihn mit der Rechnung auf: Spätere werden zu Korrekturen.',
  ],
  corrections: ['Corrections', 'Korrekturen'],
  correctionsWhy: ['What to credit, and what to charge instead.', 'Was gutzuschreiben und was stattdessen zu verrechnen ist.'],
  noCorrections: ['Nothing in this month has changed since then.', 'In diesem Monat hat sich seither nichts geändert.'],
  credit: ['To credit', 'Gutzuschreiben'],
  charge: ['To charge', 'Zu verrechnen'],
  truncated: ['Not all steps are shown.', 'Es werden nicht alle Schritte angezeigt.'],
});

const DAY_DECIMALS = 100;
const lastMonth = (): string => Temporal.Now.plainDateISO(USUAL_ZONE).toPlainYearMonth().subtract({ months: 1 }).toString();

export function BillingPage() {
  const t = texts();
  const isps = useIsps();
  const { filters, change } = useFilters(['month', 'partner_id', 'since']);
  const { month = lastMonth(), partner_id, since } = filters;
  const window = monthWindow(month);
  const search = window && { ...window, ...(partner_id !== undefined && { partner_id }) };
  return (
    <Page title={t.billing}>
      <p class="fine">{t.explanation}</p>
      <FilterFields
        filters={{ ...filters, month }}
        change={change}
        fields={[
          { name: 'month', label: t.month, hint: t.monthHint, type: 'month', error: window ? undefined : { text: t.noMonth } },
          { name: 'partner_id', label: t.isp, records: isps },
        ]}
      />
      {search && (
        <Month key={JSON.stringify(search)} search={search} month={month} since={since} onSince={(chosen) => change({ since: chosen })} />
      )}
    </Page>
  );
}

/** The totals and the corrections, which include the same events. */
function Month(props: { search: PeriodQuery; month: string; since: string | undefined; onSince: (since: string) => void }) {
  const t = texts();
  const { search, month } = props;
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
  const until = data?.recordedUntil === undefined ? undefined : instantOf(data.recordedUntil);
  return (
    <>
      <Section title={t.totals} class="section part">
        {isLoading && <p role="status">{t.steps(formatNumber(steps))}</p>}
        {error !== undefined && <Failure error={error} onRetry={reload} />}
        {data && <TotalsTable totals={data.totals} />}
        {until && <RecordedUntil at={until} search={search} month={month} />}
      </Section>
      {until && <Corrections search={search} until={until} since={props.since ?? until.text} onSince={props.onSince} />}
    </>
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

/** The instant up to which events are included, and a button that exports the same steps as a file with the instant in its name. */
function RecordedUntil({ at, search, month }: { at: Instant; search: PeriodQuery; month: string }) {
  const t = texts();
  const { fibre } = useApp();
  return (
    <>
      <p class="fine">{t.recordedUntil}</p>
      <div class="to-copy">
        <code>{at.text}</code>
        <CopyButton what={t.instant} value={at.text} />
      </div>
      <ExportButtons
        name={`periods-${month}-recorded-until-${at.inFileName}`}
        formats={['csv']}
        read={(format, options) => fibre.periods.export({ ...search, recorded_until: at.text, format }, options)}
      />
    </>
  );
}

/** The corrections to a month's billing because of events recorded after an invoice. */
function Corrections(props: { search: PeriodQuery; until: Instant; since: string; onSince: (since: string) => void }) {
  const t = texts();
  const { search, until, since, onSince } = props;
  const from = instantOf(since);
  const fault = !from ? t.noInstant(until.text) : isAfter(from, until) ? t.tooLate : undefined;
  return (
    <Section title={t.corrections} why={t.correctionsWhy} class="section part">
      <TextFilter
        name="since"
        label={t.since}
        hint={t.sinceHint}
        value={since}
        error={fault === undefined ? undefined : { text: fault }}
        onChange={onSince}
      />
      {from && fault === undefined && (
        <CorrectionsTable key={from.text} search={{ ...search, recorded_from: from.text, recorded_until: until.text }} />
      )}
    </Section>
  );
}

function CorrectionsTable({ search }: { search: CorrectionQuery }) {
  const t = texts();
  const { fibre } = useApp();
  const listing = useListing<Correction>((place, signal) => fibre.periods.corrections({ ...search, ...place }, { signal }));
  const columns: Column<Correction>[] = [
    {
      title: t.entity,
      cell: ({ entity_id, truncated }) => (
        <>
          <EntityLink entity_id={entity_id} />
          {truncated && <span class="below fine">{t.truncated}</span>}
        </>
      ),
    },
    { title: t.credit, cell: ({ before }) => <Steps steps={before} /> },
    { title: t.charge, cell: ({ after }) => <Steps steps={after} /> },
  ];
  return (
    <ListingTable
      listing={listing}
      caption={t.corrections}
      columns={columns}
      keyOf={({ entity_id }) => entity_id}
      empty={<p>{t.noCorrections}</p>}
    />
  );
}

function Steps({ steps }: { steps: readonly ChargedStep[] }) {
  if (steps.length === 0) return <>–</>;
  return (
    <>
      {steps.map(({ from, to, article_codes }) => (
        <span key={from} class="below">
          <Articles codes={article_codes} /> <Moment at={from} zone={USUAL_ZONE} /> – <Moment at={to} zone={USUAL_ZONE} />
        </span>
      ))}
    </>
  );
}
