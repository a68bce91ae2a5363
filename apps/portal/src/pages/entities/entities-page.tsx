import { useLocation } from 'preact-iso';
import { Refusal, type Words } from '../../api/refusal.js';
import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { formatMoment } from '../../texts.js';
import { Lacks } from '../../ui/lacks.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { type Listing, useListing } from '../../hooks/use-listing.js';
import type { Entity, EntityFilters } from './entity.js';
import { EntityFilter } from './entity-filter.js';
import { texts } from './entity-texts.js';
import { IspName, type Isps, useIsps } from './isps.js';
import { isTimestamp, ownZone } from './local-time.js';
import { Articles, Moment, StateBadge } from './parts.js';
import './entities.css';

export function EntitiesPage() {
  const t = texts();
  return (
    <Page title={t.entities} actions={<FirstEvent />}>
      <p class="fine">{t.explanation}</p>
      <Lacks scope="events:write" />
      <Entities />
    </Page>
  );
}

function FirstEvent() {
  return (
    <LinkButton href={page('entities/new')} isOff={!useScope('events:write')} isPrimary>
      {texts().firstEvent}
    </LinkButton>
  );
}

/** The filters in the address of the page; the service reports an invalid value. */
function filtersOf(query: Readonly<Record<string, string>>): EntityFilters {
  const given = Object.entries(query).filter(
    ([name, value]) => ['state', 'partner_id', 'article_code', 'at'].includes(name) && value !== '',
  );
  return Object.fromEntries(given);
}

function Entities() {
  const t = texts();
  const { fibre } = useApp();
  const { query } = useLocation();
  const isps = useIsps();
  const filters = filtersOf(query);
  const key = JSON.stringify(filters);
  const listing = useListing<Entity>((place, signal) => fibre.entities.list({ ...place, ...filters }, { signal }), key);
  const zone = query['zone'] || ownZone();
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <EntityFilter key={key + zone} filters={filters} zone={zone} isps={isps} refused={refusedFields(listing)} />
      {filters.at !== undefined && isTimestamp(filters.at) && (
        <p class="notice" role="status">
          {t.asOf(formatMoment(filters.at, zone), zone)}
        </p>
      )}
      <EntityTable listing={listing} isps={isps} isFiltered={isFiltered} />
    </>
  );
}

const refusedFields = ({ error }: Listing<Entity>): ReadonlyMap<string, Words> => (error instanceof Refusal ? error.byField : new Map());

function EntityTable({ listing, isps, isFiltered }: { listing: Listing<Entity>; isps: Isps; isFiltered: boolean }) {
  const t = texts();
  const columns: Column<Entity>[] = [
    {
      title: t.id,
      cell: ({ entity_id }) => (
        <a href={page(`entities/${entity_id}`)}>
          <code>{entity_id}</code>
        </a>
      ),
    },
    { title: t.state, cell: ({ state }) => <StateBadge state={state} /> },
    { title: t.since, cell: ({ since }) => <Moment at={since} /> },
    { title: t.isp, cell: ({ partner_id }) => partner_id && <IspName isps={isps} partner_id={partner_id} /> },
    { title: t.articles, cell: ({ article_codes }) => article_codes && <Articles codes={article_codes} /> },
  ];
  return (
    <ListingTable
      listing={listing}
      caption={t.entities}
      columns={columns}
      keyOf={({ entity_id }) => entity_id}
      empty={
        isFiltered ? (
          <>
            <p>{t.noneFound}</p>
            <LinkButton href={page('entities')}>{t.clear}</LinkButton>
          </>
        ) : (
          <>
            <p>{t.none}</p>
            <FirstEvent />
          </>
        )
      }
    />
  );
}
