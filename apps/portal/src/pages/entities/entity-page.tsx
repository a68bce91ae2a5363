import { useLocation, useRoute } from 'preact-iso';
import { useApp } from '../../session/context.js';
import { page } from '../../configuration.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Facts, Lacks, Page, Section } from '../../ui/page.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { listingOf, useListing } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import type { EntityWithPeriods, RecordedEvent } from '@fibre/client';
import { type Charge, chargesOf, nextEvents } from './entity.js';
import { texts } from './entity-texts.js';
import type { Records } from '../../ui/form/record-choice.js';
import { Articles, chargeColumns, IspName, knownOf, Moment, StateBadge, titleOf, useIsps } from './parts.js';
import { EventTable } from './event-table.js';
import { RefusedEvents } from './refused-events.js';
import { Timeline } from './timeline/timeline.js';
import './entities.css';
import { LinkButton } from '../../ui/button.js';

export function EntityPage() {
  const t = texts();
  const { entity_id = '' } = useRoute().params;
  const { fibre } = useApp();
  const isps = useIsps();
  const loaded = useLoad((signal) => fibre.entities.read(entity_id, { signal }), entity_id);
  // The page of a month from which the person came.
  const { billing } = useLocation().query;
  const back = billing ? <a href={page(`billing?${billing}`)}>{t.backToBilling}</a> : <a href={page('entities')}>{t.entities}</a>;
  return (
    <Page title={titleOf(entity_id, loaded.data)} above={back}>
      <div class="to-copy">
        <code>{entity_id}</code>
        <CopyButton what={t.id} value={entity_id} />
      </div>
      <WhenLoaded loaded={loaded} otherwise={<a href={page('entities')}>{t.toList}</a>}>
        {(entity) => (
          <>
            <Summary entity={entity} isps={isps} />
            <History entity={entity} isps={isps} />
          </>
        )}
      </WhenLoaded>
      <RefusedEvents entity_id={entity_id} />
    </Page>
  );
}

function Summary({ entity, isps }: { entity: EntityWithPeriods; isps: Records }) {
  const t = texts();
  const { state, since, article_codes } = entity;
  const { partner_id, option82, partner_reference } = knownOf(entity);
  const facts = [
    [t.state, <StateBadge state={state} />],
    [t.since, <Moment at={since} />],
    [t.isp, partner_id && <IspName isps={isps} partner_id={partner_id} />],
    [t.articles, article_codes && <Articles codes={article_codes} />],
    ['option82', option82],
    [t.partnerReference, partner_reference],
  ] as const;
  return (
    <section class="section">
      <Facts facts={facts} />
      <h2>{t.next}</h2>
      <Lacks scope="events:write" />
      <div class="actions">
        {nextEvents(state).map((type, index) => (
          <LinkButton
            key={type}
            label={`${t[type]} …`}
            to={`entities/${entity.entity_id}/record?type=${type}`}
            scopes={['events:write']}
            isPrimary={index === 0}
          />
        ))}
      </div>
    </section>
  );
}

/** The timeline as a drawing, and as tables of what is charged and of the events. The drawing has the notifications that the table shows. */
function History({ entity, isps }: { entity: EntityWithPeriods; isps: Records }) {
  const t = texts();
  const { fibre } = useApp();
  const { entity_id, periods, periods_truncated: isTruncated = false } = entity;
  const events = useListing<RecordedEvent>(
    (query, signal) => fibre.events.list({ ...query, _order: 'desc', entity_id }, { signal }),
    entity.last_event_id,
  );
  const notifications = events.items.filter(({ event_type }) => event_type === 'notification');
  return (
    <>
      {periods.length + notifications.length > 0 && (
        <Section title={t.timeline}>
          <Timeline periods={periods} notifications={notifications} isps={isps} />
          {isTruncated && <p class="notice">{t.truncated}</p>}
        </Section>
      )}
      <Charges charges={chargesOf(periods).reverse()} isps={isps} isTruncated={isTruncated} />
      <Section title={t.events} why={t.eventsWhy} class="part">
        <EventTable listing={events} isps={isps} />
      </Section>
    </>
  );
}

/** What is charged, latest first. */
function Charges({ charges, isps, isTruncated }: { charges: readonly Charge[]; isps: Records; isTruncated: boolean }) {
  const t = texts();
  const columns: Column<Charge>[] = [
    ...chargeColumns(isps),
    { title: 'option82', cell: ({ option82 }) => option82 },
    { title: t.partnerReference, cell: ({ partner_reference }) => partner_reference },
  ];
  return (
    <Section title={t.periods} why={t.periodsWhy} class="part">
      <ListingTable
        listing={listingOf(charges)}
        caption={t.periods}
        columns={columns}
        keyOf={({ event_id }) => event_id}
        empty={t.noPeriods}
      />
      {isTruncated && <p class="notice">{t.truncated}</p>}
    </Section>
  );
}
