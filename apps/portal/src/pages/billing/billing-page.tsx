import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { addressWith, useFilters } from '../../hooks/use-filters.js';
import { listingOf } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { formatTotal } from '../../texts.js';
import { Failure, WhenLoaded } from '../../ui/failure.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable, NameLink } from '../../ui/table.js';
import { type Closed, type Ledger, useLedger } from './ledger.js';
import { type MonthRow, rowsOf, usePending } from './months.js';
import { MonthPage } from './month-page.js';
import { closingText } from './parts.js';
import { texts } from './texts.js';
import { textOf, titleOf, windowOf } from './window.js';
import '../entities/entities.css';
import { Button, LinkButton } from '../../ui/button.js';

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

function Months({ ledger, closings }: { ledger: Ledger; closings: readonly Closed[] }) {
  const t = texts();
  const { fibre } = useApp();
  // Twelve open months of a system without events would say nothing.
  const mayBeEmpty = ledger.isps !== undefined && closings.length === 0;
  const { data: overview } = useLoad(async (signal) => (mayBeEmpty ? fibre.entities.overview({ signal }) : undefined), String(mayBeEmpty));
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
  if (overview && overview.entities.active.count + overview.entities.inactive.count === 0)
    return (
      <div class="empty">
        <p>{t.nothingYet}</p>
        <LinkButton label={t.firstEvent} to="entities/new" scopes={['events:write']} isPrimary />
      </div>
    );
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
