import type { Correction } from '@fibre/client';
import { LARGEST_PAGE, readAll, useListing } from '../../hooks/use-listing.js';
import { formatTotal } from '../../texts.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { CopyId } from '../../ui/copy-button.js';
import { csvOf } from '../../ui/csv.js';
import { ExportButtons } from '../../ui/transfer.js';
import { Moment } from '../entities/parts.js';
import { daysBetween, rounded } from './days.js';
import { type Ledger, type Row, type Search } from './ledger.js';
import { entityAddress, formatDays, ispColumn, Party } from './parts.js';
import { texts } from './texts.js';
import { fileName, instantInName } from './window.js';

type Line = ReturnType<typeof linesOf>[number];

/** The articles that were charged and no longer are, and the other way round. */
function linesOf(correction: Row<Correction>, party: Ledger['party'], timezone: string) {
  const { entity_id, before, after, truncated: isTruncated = false } = correction;
  const steps = [
    ...before.map((step) => ({ ...step, side: 'credit' as const })),
    ...after.map((step) => ({ ...step, side: 'charge' as const })),
  ];
  return steps.flatMap(({ article_codes, partner_id, partner_reference = '', from, to, begins_by, ends_by, side }) =>
    article_codes.map((article_code, index) => ({
      ...{ entity_id, article_code, partner_reference, from, to, begins_by, ends_by, side, isTruncated },
      key: [entity_id, side, from, index].join(),
      party: party === 'tenant' ? correction.tenant! : partner_id,
      days: daysBetween(from, to, timezone),
    })),
  );
}

/** What to credit, and what to charge instead, because of events recorded since a closing. */
export function Corrections({ ledger, search }: { ledger: Ledger; search: Search & { recorded_from: string; recorded_until: string } }) {
  const t = texts();
  const listing = useListing<Row<Correction>>((place, signal) => ledger.corrections({ ...search, ...place }, { signal }));
  const read = (corrections: readonly Row<Correction>[]): Line[] =>
    corrections.flatMap((correction) => linesOf(correction, ledger.party, search.timezone));
  const daysOf = (side: Line['side']): Column<Line> => ({
    title: t[side],
    isNumber: true,
    cell: (line) => line.side === side && formatDays(line.days),
    sum: (lines) => formatDays(lines.reduce((sum, line) => sum + (line.side === side ? line.days : 0), 0)),
  });
  const columns: Column<Line>[] = [
    { title: ledger.isps ? t.isp : t.operator, cell: ({ party }) => <Party ledger={ledger} id={party} />, sum: () => t.sum },
    {
      title: t.article,
      cell: ({ article_code, partner_reference }) => (
        <>
          <code>{article_code}</code>
          {partner_reference && <bdi class="below fine">{partner_reference}</bdi>}
        </>
      ),
    },
    {
      title: t.period,
      cell: ({ from, to, begins_by, ends_by }) => (
        <>
          <Moment at={from} zone={search.timezone} /> {begins_by && <span class="fine">{t[begins_by]}</span>} –{' '}
          <span class="below">
            <Moment at={to} zone={search.timezone} /> {ends_by && <span class="fine">{t[ends_by]}</span>}
          </span>
        </>
      ),
    },
    daysOf('credit'),
    daysOf('charge'),
    {
      title: t.entity,
      cell: ({ entity_id, party, partner_reference, isTruncated }) => (
        <>
          <CopyId name="entity_id" id={entity_id} of={partner_reference || entity_id} href={entityAddress(ledger, entity_id, party)} />
          {isTruncated && <span class="below fine">{t.truncated}</span>}
        </>
      ),
    },
  ];
  const file = async (_: 'csv', { signal }: { signal: AbortSignal }) => {
    const { items } = await readAll(ledger.corrections({ ...search, _page_size: LARGEST_PAGE }, { signal }));
    return csvOf(read(items), [
      'entity_id',
      [ledger.party, ({ party }) => party],
      ...ispColumn<Line>(ledger, ({ party }) => party),
      ...(['partner_reference', 'article_code', 'from', 'to', 'begins_by', 'ends_by'] as const),
      ...(['credit', 'charge'] as const).map(
        (one) => [`${one}_days`, ({ side, days }: Line) => (side === one ? rounded(days) : undefined)] as const,
      ),
    ]);
  };
  const [from, until] = [search.recorded_from, search.recorded_until].map(instantInName);
  return (
    <>
      {listing.total !== undefined && listing.total > 0 && <p class="fine">{t.changed(formatTotal(listing.total))}</p>}
      <ListingTable
        // The rows are parts of records, which are counted above.
        listing={{ ...listing, items: read(listing.items), total: undefined }}
        caption={t.corrections}
        columns={columns}
        keyOf={({ key }) => key}
        empty={t.noCorrections}
      />
      {listing.items.length > 0 && (
        <ExportButtons
          what={t.correctionsFile}
          name={`corrections-${fileName(search)}-recorded-from-${from}-until-${until}`}
          formats={['csv']}
          read={file}
        />
      )}
    </>
  );
}
