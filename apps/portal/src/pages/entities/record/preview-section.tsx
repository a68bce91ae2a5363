import { useEffect, useRef } from 'preact/hooks';
import { page } from '../../../configuration.js';
import { listingOf } from '../../../hooks/use-listing.js';
import { formatMoment } from '../../../texts.js';
import { ListingTable } from '../../../ui/table.js';
import { When } from '../../../ui/when.js';
import type { Records } from '../../../ui/form/record-choice.js';
import { titleOf } from '../../billing/window.js';
import { texts } from '../entity-texts.js';
import { chargeColumns } from '../parts.js';
import type { Preview } from './preview.js';

/** Whether an event can be recorded, what would then be charged, latest first, and what of it has been closed. */
export function PreviewSection({ preview, isps }: { preview: Preview; isps: Records }) {
  const t = texts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [preview]);
  const { outcome, charges, closed = [], changesLater } = preview;
  return (
    <div class="part" role="status" ref={box}>
      <p class="notice success">{t[outcome]}</p>
      {charges && (
        <>
          <h2>{t.chargedThen}</h2>
          <ListingTable
            listing={listingOf(charges.toReversed())}
            caption={t.chargedThen}
            columns={chargeColumns(isps)}
            keyOf={({ from }) => from}
            empty={t.noPeriods}
          />
        </>
      )}
      {closed.length > 0 && (
        <div class="notice">
          <p>{t.isClosed}</p>
          <ul>
            {closed.map((closing) => (
              <li key={closing.closing_id}>
                <a href={page(`billing?closing=${closing.closing_id}`)}>
                  <bdi>{[titleOf(closing), closing.reference].filter(Boolean).join(' · ')}</bdi>
                </a>{' '}
                {t.closedAt} <When at={closing.created_at} by={closing.created_by} format={formatMoment} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {changesLater && <p class="fine">{t.changesLater}</p>}
    </div>
  );
}
