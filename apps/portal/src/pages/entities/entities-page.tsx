import { type Entity, ENTITY_STATES } from '@fibre/client';
import { useApp } from '../../session/context.js';
import { ListExport } from '../../ui/transfer.js';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { Lacks, Page } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { useFilters } from '../../hooks/use-filters.js';
import { type List, useListing } from '../../hooks/use-listing.js';
import { texts } from './entity-texts.js';
import type { FileColumns } from '../../ui/csv.js';
import type { Records } from '../../ui/form/record-choice.js';
import { useArticles } from './articles.js';
import { momentsAt, ownZone } from './local-time.js';
import { Articles, EntityLink, IspName, knownOf, Moment, namesOf, StateBadge, useIsps } from './parts.js';
import './entities.css';
import { LinkButton } from '../../ui/button.js';

const FILTERS = ['state', 'partner_id', 'article_code', 'at'] as const;

export function EntitiesPage() {
  const t = texts();
  const { fibre } = useApp();
  const isps = useIsps();
  const { filters, change, key, isFiltered } = useFilters(FILTERS);
  // A time that the browser's zone skipped is sent as it is: the service rejects it, as it does any other invalid value.
  const at = filters.at && (momentsAt(filters.at, ownZone())?.[0] ?? filters.at);
  const search = { ...filters, ...(at && { at }) } as object;
  const list: List<Entity> = (place, signal) => fibre.entities.list({ ...place, ...search }, { signal });
  const listing = useListing(list, key);
  const articles = useArticles();
  const create = <LinkButton label={t.firstEvent} to="entities/new" scopes={['events:write']} isPrimary />;
  return (
    <Page title={t.entities} actions={create}>
      <p class="fine">{t.explanation}</p>
      <Lacks scope="events:write" />
      <FilterFields
        filters={filters}
        change={change}
        error={listing.error}
        fields={[
          { name: 'state', label: t.state, options: ENTITY_STATES.map((value) => ({ value, label: t[value] })) },
          { name: 'partner_id', label: t.isp, records: isps },
          { name: 'article_code', label: t.article, suggestions: articles },
          { name: 'at', label: t.at, type: 'datetime-local' },
        ]}
      />
      <ListingTable
        listing={listing}
        caption={t.entities}
        columns={columnsWith(isps)}
        keyOf={({ entity_id }) => entity_id}
        empty={isFiltered ? t.noneFound : t.none}
        create={!isFiltered && create}
      />
      {listing.items.length > 0 && <ListExport name="entities" list={list} columns={fileColumns(isps)} />}
    </Page>
  );
}

const fileColumns = (isps: Records): FileColumns<Entity> => [
  ...(['entity_id', 'state', 'since'] as const),
  ['partner_id', (entity) => knownOf(entity).partner_id],
  ['isp', (entity) => isps.nameOf.get(knownOf(entity).partner_id ?? '')],
  ['article_codes', ({ article_codes }) => article_codes && JSON.stringify(article_codes)],
  ['option82', (entity) => knownOf(entity).option82],
  ['partner_reference', (entity) => knownOf(entity).partner_reference],
];

function columnsWith(isps: Records): Column<Entity>[] {
  const t = texts();
  return [
    { title: t.line, cell: (entity) => <EntityLink entity_id={entity.entity_id} names={namesOf(knownOf(entity)).slice(0, 1)} /> },
    {
      title: t.partnerReference,
      cell: (entity) => {
        const { option82, partner_reference } = knownOf(entity);
        return option82 && partner_reference && <bdi class="one-line">{partner_reference}</bdi>;
      },
    },
    {
      title: t.isp,
      cell: (entity) => {
        const { partner_id } = knownOf(entity);
        return partner_id && <IspName isps={isps} partner_id={partner_id} />;
      },
    },
    { title: t.articles, cell: ({ article_codes }) => article_codes && <Articles codes={article_codes} /> },
    { title: t.state, cell: ({ state }) => <StateBadge state={state} /> },
    { title: t.since, cell: ({ since }) => <Moment at={since} /> },
  ];
}
