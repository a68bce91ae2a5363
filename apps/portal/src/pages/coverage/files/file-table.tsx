import type { ComponentChildren } from 'preact';
import { listingOf } from '../../../hooks/use-listing.js';
import { ListingTable } from '../../../ui/table.js';

type Row = readonly ComponentChildren[];

/** Shows rows of a file, or its errors, in a box that scrolls separately from the page. */
export function FileTable(props: { label: string; head: readonly string[]; rows: readonly Row[] }) {
  const { label, head, rows } = props;
  return (
    <div class="file-table" tabIndex={0} role="region" aria-label={label}>
      <ListingTable
        listing={listingOf(rows)}
        caption={label}
        columns={head.map((title, index) => ({ title, cell: (cells: Row) => cells[index] }))}
        keyOf={(cells) => String(rows.indexOf(cells))}
      />
    </div>
  );
}
