import type { Webhook } from '@fibre/client';
import { page } from '../../configuration.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp, useScopes } from '../../session/context.js';
import { Moment } from '../entities/parts.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { Clipped, ListingTable } from '../../ui/table.js';
import { FEEDS, type Feed, texts } from './webhooks.js';

/** The webhooks of both services; a tenant has few. */
export function WebhooksPage() {
  const t = texts();
  const { fibre } = useApp();
  const scopes = useScopes();
  const { data, isLoading, error, reload } = useLoad(async (signal) => {
    const webhooks: Webhook[] = [];
    if (scopes.has('coverage:read') || scopes.has('coverage:search'))
      for await (const webhook of fibre.coverage.webhooks.list({ signal })) webhooks.push(webhook);
    if (scopes.has('events:read')) for await (const webhook of fibre.events.webhooks.list({ signal })) webhooks.push(webhook);
    return webhooks;
  }, '');
  const state = isLoading ? 'loading' : error === undefined ? 'complete' : 'failed';
  const create = (
    <LinkButton href={page('webhooks/new')} isOff={!Object.values(FEEDS).some((scope) => scopes.has(scope))} isPrimary>
      {t.create}
    </LinkButton>
  );
  return (
    <Page title={t.webhooks} above={t.organisation} actions={create}>
      <p class="fine">{t.explanation}</p>
      <ListingTable
        listing={{ items: data ?? [], state, error, more: reload, reload }}
        caption={t.webhooks}
        keyOf={({ webhook_id }) => webhook_id}
        columns={[
          {
            title: t.url,
            cell: ({ url, feed, webhook_id }) => (
              <a href={page(`webhooks/${feed}/${webhook_id}`)} class="clipped">
                <bdi>{url}</bdi>
              </a>
            ),
          },
          { title: t.feed, cell: ({ feed }) => t[feed as Feed] },
          { title: t.state, cell: (webhook) => t[webhook.state] },
          { title: t.deliveredUntil, cell: ({ delivered_until }) => <Moment at={delivered_until} /> },
          { title: t.lastError, cell: ({ last_error }) => last_error && <Clipped lang="en">{last_error}</Clipped> },
        ]}
        empty={
          <>
            <p>{t.none}</p>
            {create}
          </>
        }
      />
    </Page>
  );
}
