import type { ComponentChildren } from 'preact';
import { listingOf } from '../../../hooks/use-listing.js';
import { ListingTable } from '../../../ui/table.js';

/** Shows rows of a file, or its errors, in a box that scrolls separately from the page. */
export function FileTable({
  label,
  head,
  rows,
}: {
  label: string;
  head: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
}) {
  return (
    <div class="file-table" tabIndex={0} role="region" aria-label={label}>
      <ListingTable
        listing={listingOf(rows)}
        caption={label}
        columns={head.map((title, index) => ({ title, cell: (cells: readonly ComponentChildren[]) => cells[index] }))}
        keyOf={(cells) => String(rows.indexOf(cells))}
      />
    </div>
  );
}
