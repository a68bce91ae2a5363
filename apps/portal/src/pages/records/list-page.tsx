import { type List, useListing } from '../../hooks/use-listing.js';
import { useApp } from '../../session/context.js';
import { CopyId } from '../../ui/copy-button.js';
import { Lacks, Page } from '../../ui/page.js';
import { ListExport } from '../../ui/transfer.js';
import { type Column, ListingTable, NameLink } from '../../ui/table.js';
import { idOf, type NamedRecord, type RecordKind, valuesOf } from './record-kind.js';
import { texts } from './record-texts.js';
import { LinkButton } from '../../ui/button.js';
import { When } from '../../ui/when.js';

/** All records of a kind. */
export function ListPage<R extends NamedRecord>({ kind }: { kind: RecordKind<R> }) {
  const t = texts();
  const own = kind.texts();
  const { fibre } = useApp();
  const list: List<R> = (query, signal) => kind.list(fibre, { ...query, _order: 'desc' }, { signal });
  const listing = useListing(list);
  const exported = [kind.idName, ...Object.keys(valuesOf(kind)), 'created_at', 'created_by', 'modified_at', 'modified_by'] as (keyof R &
    string)[];
  const columns: Column<R>[] = [
    { title: t.name, cell: (record) => <NameLink to={`${kind.path}/${idOf(kind, record)}`} opens name={record.name} /> },
    ...kind.columns(),
    { title: kind.idName, cell: (record) => <CopyId name={kind.idName} id={idOf(kind, record)} of={record.name} /> },
    { title: t.created, cell: ({ created_at, created_by }) => <When at={created_at} by={created_by} /> },
  ];
  const create = <LinkButton label={own.create} to={`${kind.path}/new`} scopes={[kind.writeScope]} isPrimary />;
  return (
    <Page title={t[kind.path]} above={kind.group?.()} actions={create}>
      <p class="fine">{own.explanation}</p>
      <Lacks scope={kind.writeScope} />
      <ListingTable
        listing={listing}
        caption={t[kind.path]}
        columns={columns}
        keyOf={(record) => idOf(kind, record)}
        empty={own.none}
        create={create}
      />
      {listing.items.length > 0 && <ListExport name={kind.path} list={list} columns={exported} />}
    </Page>
  );
}
