import type { ChargedStep, Correction, PeriodQuery } from '@fibre/client';
import { Temporal } from 'temporal-polyfill';
import { useListing } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { Section } from '../../ui/section.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { USUAL_ZONE } from '../entities/local-time.js';
import { Articles, EntityLink, Moment } from '../entities/parts.js';
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
          <EntityLink entity_id={entity_id} />
          {truncated && <span class="below fine">{t.truncated}</span>}
        </>
      ),
    },
    { title: t.credit, cell: ({ before }) => <Steps steps={before} /> },
    { title: t.charge, cell: ({ after }) => <Steps steps={after} /> },
  ];
  return (
    <Section title={t.corrections} why={t.correctionsWhy} class="section part">
      <ListingTable
        listing={listing}
        caption={t.corrections}
        columns={columns}
        keyOf={({ entity_id }) => entity_id}
        empty={<p>{t.noCorrections}</p>}
      />
    </Section>
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
