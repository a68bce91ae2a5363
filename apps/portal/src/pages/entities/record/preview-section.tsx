import { useEffect, useRef } from 'preact/hooks';
import { listingOf } from '../../../hooks/use-listing.js';
import { type Column, ListingTable } from '../../../ui/table.js';
import { formatDays } from '../../billing/parts.js';
import { titleOf } from '../../billing/window.js';
import type { Records } from '../../../ui/form/record-choice.js';
import { texts } from '../entity-texts.js';
import { IspName } from '../parts.js';
import type { Change, Preview } from './preview.js';

/** Whether an event can be recorded, and what the charges of its month would then be. */
export function PreviewSection({ preview, isps }: { preview: Preview; isps: Records }) {
  const t = texts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [preview]);
  const { outcome, window, changes } = preview;
  const month = window ? titleOf(window) : '';
  const columns: Column<Change>[] = [
    { title: t.isp, cell: ({ partner_id }) => <IspName isps={isps} partner_id={partner_id} /> },
    { title: t.article, cell: ({ article_code }) => <code>{article_code}</code> },
    { title: t.daysBefore, isNumber: true, cell: ({ before }) => formatDays(before) },
    { title: t.daysAfter, isNumber: true, cell: ({ after }) => formatDays(after) },
  ];
  return (
    <div class="part" role="status" ref={box}>
      <p class="notice success">{t[outcome]}</p>
      {changes && (
        <>
          <h2>{t.chargedIn(month)}</h2>
          <ListingTable
            listing={listingOf(changes)}
            caption={t.chargedIn(month)}
            columns={columns}
            keyOf={({ partner_id, article_code }) => `${partner_id}/${article_code}`}
            empty={t.chargesNothing}
          />
        </>
      )}
    </div>
  );
}
