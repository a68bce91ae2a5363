import { type Correction, correctionRows } from '@fibre/client';
import { LARGEST_PAGE, useListing } from '../../hooks/use-listing.js';
import { formatTotal } from '../../texts.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { CopyId } from '../../ui/copy-button.js';
import { ExportButtons } from '../../ui/transfer.js';
import { Moment } from '../entities/parts.js';
import { billingFile, FORMATS, type FileFormat } from './billing-file.js';
import { type Ledger, type Row, type Search } from './ledger.js';
import { entityAddress, formatDays, Party } from './parts.js';
import { texts } from './texts.js';
import { fileName, instantInName } from './window.js';

type Line = ReturnType<typeof linesOf>[number];

/** The articles that were charged and no longer are, and the other way round. */
const linesOf = (correction: Row<Correction>, party: Ledger['party'], timezone: string) =>
  correctionRows(correction, timezone).map((row, index) => ({
    ...row,
    key: `${correction.entity_id}/${index}`,
    party: row[party]!,
    isTruncated: correction.truncated ?? false,
  }));

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
  const file = (format: FileFormat, { signal }: { signal: AbortSignal }) => {
    const corrections = ledger.corrections({ ...search, _page_size: LARGEST_PAGE }, { signal });
    return billingFile(format, 'corrections', ledger, corrections, (correction) => correctionRows(correction, search.timezone), search);
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
          formats={FORMATS}
          read={file}
        />
      )}
    </>
  );
}
