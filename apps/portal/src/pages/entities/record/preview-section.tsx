import { useEffect, useRef } from 'preact/hooks';
import { listingOf } from '../../../hooks/use-listing.js';
import { ListingTable } from '../../../ui/table.js';
import type { Records } from '../../../ui/form/record-choice.js';
import { texts } from '../entity-texts.js';
import { chargeColumns } from '../parts.js';
import type { Preview } from './preview.js';

/** Whether an event can be recorded, and what would then be charged, latest first. */
export function PreviewSection({ preview, isps }: { preview: Preview; isps: Records }) {
  const t = texts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [preview]);
  const { outcome, charges } = preview;
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
    </div>
  );
}
