import { useApp, useScope } from '../../session/context.js';
import { page } from '../../configuration.js';
import { formatTime } from '../../texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Lacks } from '../../ui/lacks.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { useListing } from '../../hooks/use-listing.js';
import type { Isp } from './isp.js';
import { texts } from './isp-texts.js';

export function IspsPage() {
  const t = texts();
  const mayRead = useScope('events:read');
  return (
    <Page title={t.isps} actions={<NewIsp />}>
      <p class="fine">{t.explanation}</p>
      <Lacks scope="events:write" />
      <Lacks scope="events:read" />
      {mayRead && <Isps />}
    </Page>
  );
}

function NewIsp() {
  return (
    <LinkButton href={page('isps/new')} isOff={!useScope('events:write')} isPrimary>
      {texts().newIsp}
    </LinkButton>
  );
}

function Isps() {
  const t = texts();
  const { fibre } = useApp();
  const listing = useListing<Isp>((query, signal) => fibre.isps.list(query, { signal }));
  const columns: Column<Isp>[] = [
    { title: t.name, cell: ({ partner_id, name }) => <a href={page(`isps/${partner_id}`)}>{name}</a> },
    { title: t.email, cell: ({ email }) => email },
    {
      title: t.id,
      cell: ({ partner_id }) => (
        <span class="to-copy">
          <code>{partner_id}</code>
          <CopyButton what={t.id} value={partner_id} />
        </span>
      ),
    },
    { title: t.created, cell: ({ created_at }) => formatTime(created_at) },
  ];
  return (
    <ListingTable
      listing={listing}
      caption={t.isps}
      columns={columns}
      keyOf={({ partner_id }) => partner_id}
      empty={
        <>
          <p>{t.none}</p>
          <NewIsp />
        </>
      }
    />
  );
}
