import { type Column, ListingTable } from '../../ui/table.js';
import { useListing } from '../../hooks/use-listing.js';
import type { AccessNode } from '@fibre/client';
import { useCoverage } from './coverage-state.js';
import { nameOf, texts } from './coverage-texts.js';
import { Stage } from './filters-panel.js';
import { useSelection } from './selection.js';

/** The nodes on the map as a list. */
export function NodesList() {
  const t = texts();
  const { query, shown, isFiltered, revision, change } = useCoverage();
  const listing = useListing<AccessNode>(query.list, JSON.stringify([query.key, revision]));
  const { column, tools } = useSelection(listing.items);
  const columns: Column<AccessNode>[] = [
    column,
    {
      title: t.customer_reference,
      cell: ({ node_id, customer_reference, address, address_id, center }) => (
        <button type="button" class="opens" onClick={() => change({ node: node_id })}>
          <bdi>{customer_reference ?? address ?? address_id ?? center}</bdi>
        </button>
      ),
    },
    {
      title: t.token,
      cell: ({ token, status }) => (
        <>
          <Stage token={token} />
          {status !== 'active' && <span class="fine below">{nameOf(status)}</span>}
        </>
      ),
    },
    { title: t.technology, cell: ({ technology }) => technology },
    {
      title: t.whereItIs,
      // In a narrow column, each number stays whole.
      cell: ({ address, center }) => {
        if (address !== undefined) return <bdi>{address}</bdi>;
        const [latitude, longitude] = center.split(' ');
        return (
          <>
            <span class="word">{latitude}</span> <span class="word">{longitude}</span>
          </>
        );
      },
    },
  ];
  return (
    <>
      {tools}
      <ListingTable
        listing={listing}
        caption={t.accessNodes}
        columns={columns}
        keyOf={({ node_id }) => node_id}
        empty={isFiltered ? t.listEmpty : t.listEmptyAll(shown.target)}
      />
    </>
  );
}
