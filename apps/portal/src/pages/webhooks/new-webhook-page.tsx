import type { WebhookWithSecret } from '@fibre/client';
import { useState } from 'preact/hooks';
import { page } from '../../configuration.js';
import { useUnsaved } from '../../hooks/leaving.js';
import { useApp, useScopes } from '../../session/context.js';
import { SelectField, TextField } from '../../ui/form/field.js';
import { Form, useForm } from '../../ui/form/form.js';
import { Page, Section } from '../../ui/page.js';
import { momentsAt, ownZone } from '../entities/local-time.js';
import { RecordChoice, useRecords } from '../../ui/form/record-choice.js';
import { type Feed, FEEDS, texts } from './webhooks.js';
import { CopyButton } from '../../ui/copy-button.js';
import { LinkButton } from '../../ui/button.js';

/** The form for a new webhook; after saving, it shows the secret. */
export function NewWebhookPage() {
  const t = texts();
  const { fibre } = useApp();
  const scopes = useScopes();
  const feeds = (Object.keys(FEEDS) as Feed[]).filter((feed) => scopes.has(FEEDS[feed]));
  const relations = useRecords('relation_id', 'coverage:read', (query, options) => fibre.coverage.relations.list(query, options));
  const [created, setCreated] = useState<WebhookWithSecret>();
  const form = useForm({
    initial: { url: '', feed: feeds[0] ?? '', description: '', relation_id: '', since: '' },
    required: ['url', 'feed'],
    save: async ({ feed, url, description, relation_id, since }) => {
      // A time that the browser's zone skipped is sent as it is: the service rejects it.
      const from = momentsAt(since, ownZone())?.[0] ?? since;
      const body = { url, ...(description.trim() !== '' && { description }), ...(from !== '' && { since: from }) };
      const { coverage, events } = fibre;
      setCreated(
        await (feed === 'events'
          ? events.webhooks.create({ ...body, feed })
          : coverage.webhooks.create({
              ...body,
              feed: feed as 'nodes' | 'search',
              ...(feed === 'nodes' && relation_id && { relation_id }),
            })),
      );
    },
  });
  return (
    <Page title={t.create} above={<a href={page('webhooks')}>{t.webhooks}</a>}>
      {created ? (
        <>
          <Secret secret={created.secret} />
          <div class="actions">
            <LinkButton label={t.toWebhook} to={`webhooks/${created.feed}/${created.webhook_id}`} />
          </div>
        </>
      ) : (
        <div class="section">
          {feeds.length === 0 && <p class="notice">{t.lacks}</p>}
          <Form form={form} submitLabel={t.save} isOff={feeds.length === 0} actions={<LinkButton label={t.cancel} to="webhooks" />}>
            <TextField {...form.field('url')} label={t.url} hint={t.urlHint} />
            <SelectField {...form.field('feed')} label={t.feed} options={feeds.map((value) => ({ value, label: t[value] }))} />
            {form.values.feed === 'nodes' && (
              <RecordChoice {...form.field('relation_id')} isRequired label={t.ofRelation} records={relations} noneLabel={t.all} />
            )}
            <TextField {...form.field('since')} label={t.since} hint={t.sinceHint} type="datetime-local" />
            <TextField {...form.field('description')} label={t.description} />
          </Form>
        </div>
      )}
    </Page>
  );
}

/** A new secret, which is only shown once: whoever leaves before having copied it is asked. */
export function Secret({ secret, isRotated = false }: { secret: string; isRotated?: boolean }) {
  const t = texts();
  const [copied, setCopied] = useState<string>();
  useUnsaved(copied !== secret);
  const isCopied = (): void => setCopied(secret);
  return (
    <Section title={t.secret} why={isRotated ? `${t.secretWhy} ${t.secretRotated}` : t.secretWhy}>
      <div class="to-copy">
        <code onCopy={isCopied}>{secret}</code>
        <CopyButton what={t.secret} value={secret} onCopied={isCopied} />
      </div>
    </Section>
  );
}
