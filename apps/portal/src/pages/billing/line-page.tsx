import type { Total } from '@fibre/client';
import { useFilters } from '../../hooks/use-filters.js';
import { LARGEST_PAGE, listingOf, readAll } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { EXACT, formatNumber } from '../../texts.js';
import { CopyId } from '../../ui/copy-button.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { Moment } from '../entities/parts.js';
import { COUNTED, type Counted, type CountedStep, countedSteps, fromJustBefore } from './counted.js';
import type { Ledger, Recorded, Row } from './ledger.js';
import { Above, type LineProps, WhoseFacts } from './line-parts.js';
import { entityAddress, formatDays, type Line, partyName } from './parts.js';
import { texts } from './texts.js';
import type { Window } from './window.js';

/** A line of the totals, explained: each step with its article, from when to when, and what it counts. */
export function LinePage(
  props: LineProps & {
    line: Line;
    /** What the month shows, up to an instant. */
    search: Recorded;
    totals: readonly Row<Total>[];
  },
) {
  const t = texts();
  const { ledger, window, closing, line } = props;
  const { filters, change } = useFilters(['counted']);
  const total = props.totals.find((one) => one[ledger.party] === line.party && one.article_code === line.article_code);
  const search = { ...props.search, [ledger.party]: line.party, article_code: line.article_code };
  const isTooLong = (total?.entities ?? 0) > EXACT;
  const load = async (signal: AbortSignal): Promise<CountedStep[]> => {
    if (isTooLong) return [];
    const { items } = await readAll(ledger.charged({ ...search, from: fromJustBefore(search), _page_size: LARGEST_PAGE }, { signal }));
    return countedSteps(items, line.article_code, search);
  };
  const loaded = useLoad(load, JSON.stringify(search));
  const counted = COUNTED.find((name) => name === filters.counted);
  const shown = (steps: readonly CountedStep[]) => (counted ? steps.filter((step) => step[counted] > 0) : steps);
  return (
    <Page title={`${line.article_code} · ${partyName(ledger, line.party)}`} above={<Above window={window} />}>
      <WhoseFacts ledger={ledger} closing={closing} party={line.party} />
      <p class="fine">{t.lineWhy}</p>
      <p class="fine">{t.countedWhy}</p>
      {isTooLong ? (
        <p class="notice">{t.tooLong(formatNumber(EXACT))}</p>
      ) : (
        <>
          <FilterFields
            filters={filters}
            change={change}
            fields={[{ name: 'counted', label: t.counts, options: COUNTED.map((value) => ({ value, label: t[value] })) }]}
          />
          <WhenLoaded loaded={loaded}>{(steps) => <Steps ledger={ledger} window={search} steps={shown(steps)} />}</WhenLoaded>
        </>
      )}
    </Page>
  );
}

function Steps({ ledger, window, steps }: { ledger: Ledger; window: Window; steps: readonly CountedStep[] }) {
  const t = texts();
  const counted = (name: Counted): Column<CountedStep> => ({
    title: t[name],
    isNumber: true,
    cell: (step) => step[name] > 0 && formatNumber(step[name]),
    sum: (all) => formatNumber(all.reduce((sum, step) => sum + step[name], 0)),
  });
  const columns: Column<CountedStep>[] = [
    {
      title: t.entity,
      cell: (step) => (
        <>
          <CopyId
            name="entity_id"
            id={step.entity_id}
            of={step.partner_reference ?? step.entity_id}
            href={entityAddress(ledger, step.entity_id, step.tenant)}
          />
          {step.partner_reference !== undefined && <bdi class="below fine">{step.partner_reference}</bdi>}
        </>
      ),
      sum: () => t.sum,
    },
    { title: t.from, cell: ({ begun, from }) => (begun ? <Moment at={from} zone={window.timezone} /> : t.ranBefore) },
    { title: t.to, cell: ({ runs_on, to }) => (runs_on ? t.runsOn : <Moment at={to} zone={window.timezone} />) },
    {
      title: t.days,
      isNumber: true,
      cell: ({ days }) => formatDays(days),
      sum: (all) => formatDays(all.reduce((sum, { days }) => sum + days, 0)),
    },
    ...COUNTED.map(counted),
  ];
  return (
    <ListingTable
      listing={listingOf(steps)}
      caption={t.line}
      columns={columns}
      keyOf={({ entity_id, from, to }) => [entity_id, from, to].join()}
      empty={t.noSteps}
    />
  );
}
