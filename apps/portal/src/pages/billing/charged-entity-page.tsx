import type { ChargedStep } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { LARGEST_PAGE, listingOf, readAll } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { formatMoment } from '../../texts.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { Articles, Moment } from '../entities/parts.js';
import type { Row, Search } from './ledger.js';
import { Above, type LineProps, WhoseFacts } from './line-parts.js';
import type { Line } from './parts.js';
import { texts } from './texts.js';

/** Days before the end of a window that are shown: the service allows no longer window. */
const HISTORY_DAYS = 400;

/** What an operator has charged an ISP for one entity, until the end of the window: the ISP sees no other page of it. */
export function ChargedEntityPage(
  props: LineProps & {
    tenant: string;
    entity_id: string;
    /** What the month shows. */
    search: Search;
    /** The line of the totals from which the person came, if there is one. */
    line: Line | undefined;
  },
) {
  const { ledger, window, closing, search, tenant, entity_id, line } = props;
  const t = texts();
  const end = Temporal.Instant.from(search.to).toZonedDateTimeISO(search.timezone);
  const from = end.subtract({ days: HISTORY_DAYS }).toInstant().toString();
  const history = { ...search, from, tenant, entity_id, _page_size: LARGEST_PAGE };
  const loaded = useLoad((signal) => readAll(ledger.charged(history, { signal })), JSON.stringify(history));
  const columns: Column<Row<ChargedStep>>[] = [
    { title: t.from, cell: (step) => (step.begins === undefined ? t.ranBefore : <Moment at={step.from} zone={search.timezone} />) },
    { title: t.to, cell: ({ runs_on, to }) => (runs_on ? t.runsOn : <Moment at={to} zone={search.timezone} />) },
    { title: t.articles, cell: ({ article_codes }) => <Articles codes={article_codes} /> },
    { title: 'option82', cell: ({ option82 }) => option82 },
    { title: t.yourReference, cell: ({ partner_reference }) => partner_reference },
  ];
  return (
    <Page title={entity_id} above={<Above window={window} line={line} />}>
      <WhenLoaded loaded={loaded}>
        {({ items }) => (
          <>
            <WhoseFacts ledger={ledger} closing={closing} party={tenant} reference={items.at(-1)?.partner_reference} />
            <p class="fine">{t.historyWhy(formatMoment(from, search.timezone))}</p>
            <ListingTable
              listing={listingOf(items.toReversed())}
              caption={t.history}
              columns={columns}
              keyOf={(step) => step.from}
              empty={t.noSteps}
            />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}
