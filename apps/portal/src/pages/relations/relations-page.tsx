import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { formatTime } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Lacks } from '../../ui/lacks.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { useListing } from '../../hooks/use-listing.js';
import type { Relation } from './relation.js';
import { texts } from './relation-texts.js';

export function RelationsPage() {
  const t = texts();
  const mayRead = useScope('coverage:read');
  return (
    <Page title={t.relations} above={t.organisation} actions={<NewRelation />}>
      <p class="fine">{t.explanation}</p>
      <Lacks scope="coverage:write" />
      <Lacks scope="coverage:read" />
      {mayRead && <Relations />}
    </Page>
  );
}

function NewRelation() {
  return (
    <LinkButton href={page('relations/new')} isOff={!useScope('coverage:write')} isPrimary>
      {texts().newRelation}
    </LinkButton>
  );
}

function Relations() {
  const t = texts();
  const { fibre } = useApp();
  const listing = useListing<Relation>((query, signal) => fibre.coverage.relations.list(query, { signal }));
  const columns: Column<Relation>[] = [
    { title: t.name, cell: ({ relation_id, name }) => <a href={page(`relations/${relation_id}`)}>{name}</a> },
    { title: t.pipShort, cell: ({ pip }) => pip },
    {
      title: t.id,
      cell: ({ relation_id }) => (
        <span class="to-copy">
          <code>{relation_id}</code>
          <CopyButton what={t.id} value={relation_id} />
        </span>
      ),
    },
    { title: t.created, cell: ({ created_at }) => formatTime(created_at) },
  ];
  return (
    <ListingTable
      listing={listing}
      caption={t.relations}
      columns={columns}
      keyOf={({ relation_id }) => relation_id}
      empty={
        <>
          <p>{t.none}</p>
          <NewRelation />
        </>
      }
    />
  );
}
