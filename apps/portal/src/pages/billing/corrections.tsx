import type { ChargedStep, Correction, PeriodQuery } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { page } from '../../configuration.js';
import { useListing } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { USUAL_ZONE } from '../entities/local-time.js';
import { Articles, Moment } from '../entities/parts.js';
import { texts } from './billing-texts.js';

/** What has changed in a month since the start of a day. */
export function Corrections({ search, since }: { search: PeriodQuery; since: string }) {
  const t = texts();
  const { fibre } = useApp();
  const recorded_from = Temporal.PlainDate.from(since).toZonedDateTime(USUAL_ZONE).toString({ timeZoneName: 'never' });
  const listing = useListing<Correction>((place, signal) => fibre.periods.corrections({ ...search, ...place, recorded_from }, { signal }));
  const columns: Column<Correction>[] = [
    {
      title: t.entity,
      cell: ({ entity_id, truncated }) => (
        <>
          <a href={page(`entities/${entity_id}`)}>
            <code>{entity_id}</code>
          </a>
          {truncated && <span class="below fine">{t.truncated}</span>}
        </>
      ),
    },
    { title: t.credit, cell: ({ before }) => <Steps steps={before} /> },
    { title: t.charge, cell: ({ after }) => <Steps steps={after} /> },
  ];
  return (
    <section class="section part">
      <h2>{t.corrections}</h2>
      <p class="fine">{t.correctionsWhy}</p>
      <ListingTable
        listing={listing}
        caption={t.corrections}
        columns={columns}
        keyOf={({ entity_id }) => entity_id}
        empty={<p>{t.noCorrections}</p>}
      />
    </section>
  );
}

function Steps({ steps }: { steps: readonly ChargedStep[] }) {
  if (steps.length === 0) return <>–</>;
  return (
    <>
      {steps.map(({ from, to, article_codes }) => (
        <span key={from} class="below">
          <Articles codes={article_codes} /> <Moment at={from} zone={USUAL_ZONE} /> – <Moment at={to} zone={USUAL_ZONE} />
        </span>
      ))}
    </>
  );
}
