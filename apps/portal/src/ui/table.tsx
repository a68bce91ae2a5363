import type { ComponentChildren } from 'preact';
import { defineTexts } from '../texts.js';
import { Failure } from './failure.js';
import type { Listing } from '../hooks/use-listing.js';

const texts = defineTexts({ loading: 'Loading …', more: 'Show more' }, { loading: 'Wird geladen …', more: 'Mehr anzeigen' });

export interface Column<T> {
  readonly title: string;
  readonly cell: (item: T) => ComponentChildren;
  /** Text that others wrote: two lines of it are shown. */
  readonly isClipped?: boolean;
}

/** A listing as a table, with what stands there while it loads, when it is empty and when it failed. On a narrow window each row is a card. */
export function ListingTable<T>(props: {
  listing: Listing<T>;
  /** What the table shows, for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  keyOf: (item: T) => string;
  /** Stands there instead of a table without rows. */
  empty: ComponentChildren;
}) {
  const t = texts();
  const { listing } = props;
  if (listing.items.length === 0 && listing.state === 'complete') return <div class="empty">{props.empty}</div>;
  return (
    <>
      {listing.items.length > 0 && (
        <table>
          <caption class="visually-hidden">{props.caption}</caption>
          <thead>
            <tr>
              {props.columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listing.items.map((item) => (
              <tr key={props.keyOf(item)}>
                {props.columns.map(({ title, cell, isClipped }) => (
                  <td key={title} data-title={title}>
                    {isClipped ? <Clipped>{cell(item)}</Clipped> : cell(item)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {listing.state === 'loading' && <Loading />}
      {listing.state === 'failed' && <Failure error={listing.error} onRetry={listing.more} />}
      {listing.state === 'more' && (
        <button type="button" onClick={listing.more}>
          {t.more}
        </button>
      )}
    </>
  );
}

/** Two lines of a text that others wrote, whose direction is its own. */
export function Clipped({ children }: { children: ComponentChildren }) {
  if (children === undefined) return null;
  return (
    <bdi class="clipped" title={typeof children === 'string' ? children : undefined}>
      {children}
    </bdi>
  );
}

/** Stands where something will be. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {texts().loading}
    </p>
  );
}
