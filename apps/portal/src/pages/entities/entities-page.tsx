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
import { Articles, EntityLink, IspName, Moment, StateBadge, useIsps } from './parts.js';
import './entities.css';
import { LinkButton } from '../../ui/button.js';

const FILTERS = ['state', 'partner_id', 'article_code'] as const;

export function EntitiesPage() {
  const t = texts();
  const { fibre } = useApp();
  const isps = useIsps();
  const { filters, change, key, isFiltered } = useFilters(FILTERS);
  // The service rejects invalid values.
  const list: List<Entity> = (place, signal) => fibre.entities.list({ ...place, ...(filters as object) }, { signal });
  const listing = useListing(list, key);
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
          { name: 'article_code', label: t.article },
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
  ...(['entity_id', 'state', 'since', 'partner_id'] as const),
  ['isp', ({ partner_id = '' }) => isps.nameOf.get(partner_id)],
  ['article_codes', ({ article_codes }) => article_codes && JSON.stringify(article_codes)],
  ...(['option82', 'partner_reference'] as const),
];

function columnsWith(isps: Records): Column<Entity>[] {
  const t = texts();
  return [
    { title: t.isp, cell: ({ partner_id }) => partner_id && <IspName isps={isps} partner_id={partner_id} /> },
    { title: 'option82', cell: ({ option82 }) => option82 },
    { title: t.partnerReference, cell: ({ partner_reference }) => partner_reference },
    { title: t.articles, cell: ({ article_codes }) => article_codes && <Articles codes={article_codes} /> },
    { title: t.state, cell: ({ state }) => <StateBadge state={state} /> },
    { title: t.since, cell: ({ since }) => <Moment at={since} /> },
    {
      title: t.id,
      cell: ({ entity_id, partner_reference, option82 }) => <EntityLink entity_id={entity_id} of={partner_reference ?? option82} />,
    },
  ];
}
