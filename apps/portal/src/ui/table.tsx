import type { ComponentChildren } from 'preact';
import { page } from '../configuration.js';
import { defineTexts, formatNumber, formatTotal } from '../texts.js';
import { Failure } from './failure.js';
import { Loading } from './when-loaded.js';
import { useState } from 'preact/hooks';
import { type Listing, PAGE_SIZE } from '../hooks/use-listing.js';
import { Button } from './button.js';

const texts = defineTexts({
  more: ['Show more', 'Mehr anzeigen'],
  some: [(count: string, total: string) => `${count} of ${total}`, (count, total) => `${count} von ${total}`],
  all: [(count: string) => `${count} in all`, (count) => `Insgesamt ${count}`],
});

export interface Column<T> {
  readonly title: string;
  /** Of a text, as users may have written it, at most two lines are shown, in its own writing direction. */
  readonly cell: (item: T) => ComponentChildren;
  /** Figures, which end at the right. */
  readonly isNumber?: boolean;
  /** What the last row has in this column, once all rows are known. */
  readonly sum?: (items: readonly T[]) => ComponentChildren;
}

/**
 * A listing as a table; also shows whether it is loading, is empty or could not be loaded. In a narrow window, each row is a card. A
 * row opens its record if a cell has a link or button with the class `opens`.
 */
export function ListingTable<T>(props: {
  listing: Listing<T>;
  /** What the table contains, for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  keyOf: (item: T) => string;
  /** Said instead of an empty table. */
  empty?: string;
  /** A link to create the first record. */
  create?: ComponentChildren;
}) {
  const t = texts();
  const [most, setMost] = useState(PAGE_SIZE);
  const { items } = props.listing;
  const listing: Listing<T> =
    props.listing.isWhole && items.length > most
      ? { ...props.listing, items: items.slice(0, most), state: 'more', total: items.length, more: () => setMost(most + PAGE_SIZE) }
      : props.listing;
  if (listing.items.length === 0 && listing.state === 'complete')
    return (
      <div class="empty">
        <p>{props.empty}</p>
        {props.create}
      </div>
    );
  const cells = (content: (column: Column<T>) => ComponentChildren) =>
    props.columns.map((column) => (
      <td key={column.title} data-title={column.title} class={column.isNumber ? 'number' : undefined}>
        {inCell(content(column))}
      </td>
    ));
  return (
    <>
      {listing.items.length > 0 && (
        <table>
          <caption class="visually-hidden">{props.caption}</caption>
          <thead>
            <tr>
              {props.columns.map(({ title, isNumber }) => (
                <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody onClick={openRow}>
            {listing.items.map((item) => (
              <tr key={props.keyOf(item)}>{cells(({ cell }) => cell(item))}</tr>
            ))}
          </tbody>
          {props.listing.state === 'complete' && props.columns.some(({ sum }) => sum) && (
            <tfoot>
              <tr>{cells(({ sum }) => sum?.(items))}</tr>
            </tfoot>
          )}
        </table>
      )}
      {listing.state === 'loading' && <Loading />}
      {listing.state === 'failed' && <Failure error={listing.error} onRetry={listing.more} />}
      {listing.items.length > 0 && (listing.state === 'more' || listing.total !== undefined) && (
        <div class="actions">
          {listing.state === 'more' && <Button label={t.more} onClick={listing.more} />}
          <span class="fine">{sizeOf(listing)}</span>
        </div>
      )}
    </>
  );
}

const inCell = (content: ComponentChildren) => (typeof content === 'string' ? <bdi>{content}</bdi> : content);

/** How many of how many records are shown. */
function sizeOf({ items, state, total }: Listing<unknown>): string {
  const t = texts();
  const shown = formatNumber(items.length);
  if (state === 'complete') return t.all(shown);
  if (total === undefined) return shown;
  return t.some(shown, formatTotal(Math.max(total, items.length)));
}

/** A click on a row does what a click on its `opens` link or button does, unless it hits another control or selects text. */
function openRow(event: MouseEvent): void {
  const target = event.target as Element;
  if (target.closest('a, button, input, label') || getSelection()?.toString()) return;
  target.closest('tr')?.querySelector('.opens')?.dispatchEvent(new MouseEvent('click', event));
}

/** A link to a record by its name. @param opens whether a click on the row does the same */
export const NameLink = ({ to, name, opens }: { to: string; name: string; opens?: boolean }) => (
  <a href={page(to)} class={opens ? 'opens' : undefined}>
    <bdi>{name}</bdi>
  </a>
);
