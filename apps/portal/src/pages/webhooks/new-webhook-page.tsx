import type { WebhookWithSecret } from '@fibre/client';
import { useState } from 'preact/hooks';
import { page } from '../../configuration.js';
import { useApp, useScopes } from '../../session/context.js';
import { TextField } from '../../ui/form/field.js';
import { Form } from '../../ui/form/form.js';
import { FormSelect } from '../../ui/form/select-field.js';
import { useForm } from '../../ui/form/use-form.js';
import { LinkButton } from '../../ui/link-button.js';
import { Page } from '../../ui/page.js';
import { Secret } from './secret.js';
import { FEEDS, type Feed, texts } from './webhooks.js';

/** The form of a new webhook, and then its secret. */
export function NewWebhookPage() {
  const t = texts();
  const { fibre } = useApp();
  const scopes = useScopes();
  const feeds = (Object.keys(FEEDS) as Feed[]).filter((feed) => scopes.has(FEEDS[feed]));
  const [created, setCreated] = useState<WebhookWithSecret>();
  const form = useForm({
    initial: { url: '', feed: feeds[0] ?? '', description: '' },
    required: ['url'],
    save: async (typed) => {
      const { feed, url, description } = typed;
      const body = { url, ...(description.trim() !== '' && { description }) };
      const { coverage, events } = fibre;
      setCreated(
        await (feed === 'events'
          ? events.webhooks.create({ ...body, feed })
          : coverage.webhooks.create({ ...body, feed: feed as 'nodes' | 'search' })),
      );
      form.isSaved(typed);
    },
  });
  return (
    <Page title={t.create} above={<a href={page('webhooks')}>{t.webhooks}</a>}>
      {created ? (
        <>
          <Secret secret={created.secret} />
          <LinkButton href={page(`webhooks/${created.feed}/${created.webhook_id}`)}>{t.toWebhook}</LinkButton>
        </>
      ) : (
        <div class="section narrow">
          {feeds.length === 0 && <p class="lacks">{t.lacks}</p>}
          <Form
            form={form}
            submitLabel={t.save}
            isOff={feeds.length === 0}
            actions={<LinkButton href={page('webhooks')}>{t.cancel}</LinkButton>}
          >
            <TextField form={form} name="url" label={t.url} hint={t.urlHint} />
            <FormSelect form={form} name="feed" label={t.feed} options={feeds.map((value) => ({ value, label: t[value] }))} />
            <TextField form={form} name="description" label={t.description} isOptional />
          </Form>
        </div>
      )}
    </Page>
  );
}
