import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { addressWith, useFilters } from '../../hooks/use-filters.js';
import { listingOf, totalOf } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { formatTotal } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable, NameLink } from '../../ui/table.js';
import { type Closed, closingsFor, type Ledger, useLedger } from './ledger.js';
import { MonthPage } from './month-page.js';
import { closingText } from './parts.js';
import { texts } from './texts.js';
import { isSame, textOf, thisMonth, titleOf, type Window, windowOf } from './window.js';
import '../entities/entities.css';
import { Button } from '../../ui/button.js';

/** Number of months that the list shows at first. */
const MONTHS = 12;

/** The months or, if the URL says so, one of them. */
export function BillingPage() {
  const t = texts();
  const ledger = useLedger();
  const { route } = useLocation();
  const { filters } = useFilters(['period', 'closing']);
  const loaded = useLoad(ledger.closings, ledger.party);
  const window = windowOf(filters.period ?? '');
  // Whoever found a closing by its reference knows neither its month nor whom it concerns.
  const named = window ? undefined : loaded.data?.find(({ closing_id }) => closing_id === filters.closing);
  useEffect(() => {
    if (named) route(addressWith({ period: textOf(named), [ledger.party]: named.party }), true);
  }, [named]);
  if (window && loaded.data)
    return <MonthPage key={filters.period} ledger={ledger} window={window} closings={loaded.data} reload={loaded.reload} />;
  return (
    <Page title={t.billing}>
      <p class="fine">{ledger.isps ? t.explanation : t.explanationForIsps}</p>
      <WhenLoaded loaded={loaded}>{(closings) => <Months ledger={ledger} closings={closings} />}</WhenLoaded>
    </Page>
  );
}

interface MonthRow {
  readonly window: Window;
  /** The last closing for each party, unless a later one is for all. */
  readonly last: readonly Closed[];
}

function Months({ ledger, closings }: { ledger: Ledger; closings: readonly Closed[] }) {
  const t = texts();
  const [count, setCount] = useState(MONTHS);
  const rows = rowsOf(closings, count);
  const { counts, error } = usePending(ledger, rows);
  const columns: Column<MonthRow>[] = [
    {
      title: t.month,
      cell: ({ window }) => <NameLink to={`billing?period=${encodeURIComponent(textOf(window))}`} opens name={titleOf(window)} />,
    },
    { title: t.state, cell: (row) => <State ledger={ledger} {...row} /> },
    {
      title: t.closings,
      cell: ({ last }) =>
        last.length > 0 && (
          <ul>
            {last.map((closing) => (
              <li key={closing.closing_id}>
                <bdi>{closingText(ledger, closing)}</bdi>
              </li>
            ))}
          </ul>
        ),
    },
    {
      title: t.pending,
      isNumber: true,
      cell: ({ last }) => {
        if (last.length === 0) return undefined;
        const found = last.map(({ closing_id }) => counts.get(closing_id));
        return found.includes(undefined) ? '…' : formatTotal(found.reduce<number>((sum, one) => sum + one!, 0));
      },
    },
  ];
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      <ListingTable listing={listingOf(rows)} caption={t.billing} columns={columns} keyOf={({ window }) => window.from + window.to} />
      <div>
        <Button label={t.earlier} onClick={() => setCount(count + MONTHS)} />
      </div>
    </>
  );
}

function State({ ledger, window, last }: MonthRow & { ledger: Ledger }) {
  const t = texts();
  const isRunning = Date.parse(window.to) > Date.now();
  if (last.length === 0) return <span class="badge">{isRunning ? t.running : t.open}</span>;
  return <span class="badge active">{!ledger.isps || last.some(({ party }) => party === undefined) ? t.closed : t.partly}</span>;
}

/** The last months, and every other window since then that was closed; latest first. */
function rowsOf(closings: readonly Closed[], count: number): MonthRow[] {
  const windows = Array.from({ length: count }, (_, before) => windowOf(thisMonth().subtract({ months: before }).toString())!);
  const since = Date.parse(windows.at(-1)!.from);
  for (const closing of closings)
    if (Date.parse(closing.from) >= since && !windows.some((window) => isSame(window, closing))) windows.push(closing);
  return windows
    .sort((a, b) => Date.parse(b.from) - Date.parse(a.from))
    .map((window) => {
      const own = closings.filter((closing) => isSame(closing, window));
      return { window, last: own.filter((closing) => closingsFor(own, closing.party).at(-1) === closing) };
    });
}

/**
 * How many entities have changed since each closing: counted one after the other, because the service lets them wait for each other, and
 * only for the months that are shown, because a count reads every event recorded since its closing.
 */
function usePending(ledger: Ledger, rows: readonly MonthRow[]) {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  const last = rows.flatMap((row) => row.last);
  const load = async (signal: AbortSignal): Promise<void> => {
    for (const { closing_id } of last) {
      if (counts.has(closing_id)) continue;
      const count = await totalOf((query) => ledger.corrections({ closing: closing_id, ...query }, { signal }));
      setCounts((before) => new Map(before).set(closing_id, count));
    }
  };
  const { error } = useLoad(load, last.map(({ closing_id }) => closing_id).join());
  return { counts, error };
}
