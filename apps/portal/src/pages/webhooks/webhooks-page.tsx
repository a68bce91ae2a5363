import { WhenLoaded } from '../../ui/when-loaded.js';
import { listingOf } from '../../hooks/use-listing.js';
import { Moment } from '../entities/parts.js';
import { Page } from '../../ui/page.js';
import { ListingTable, NameLink } from '../../ui/table.js';
import { type Feed, FEEDS, texts, useWebhooks } from './webhooks.js';
import { LinkButton } from '../../ui/button.js';

/** The webhooks of both services. */
export function WebhooksPage() {
  const t = texts();
  const loaded = useWebhooks();
  const create = <LinkButton label={t.create} to="webhooks/new" scopes={Object.values(FEEDS)} isPrimary />;
  return (
    <Page title={t.webhooks} above={t.organisation} actions={create}>
      <p class="fine">{t.explanation}</p>
      <WhenLoaded loaded={loaded}>
        {(webhooks) => (
          <ListingTable
            listing={listingOf(webhooks)}
            caption={t.webhooks}
            keyOf={({ webhook_id }) => webhook_id}
            columns={[
              { title: t.url, cell: ({ url, feed, webhook_id: id }) => <NameLink to={`webhooks/${feed}/${id}`} opens name={url} /> },
              { title: t.feed, cell: ({ feed }) => t[feed as Feed] },
              { title: t.state, cell: (webhook) => t[webhook.state] },
              { title: t.deliveredUntil, cell: ({ delivered_until }) => <Moment at={delivered_until} /> },
              { title: t.lastError, cell: ({ last_error }) => last_error && <bdi lang="en">{last_error}</bdi> },
            ]}
            empty={t.none}
            create={create}
          />
        )}
      </WhenLoaded>
    </Page>
  );
}
