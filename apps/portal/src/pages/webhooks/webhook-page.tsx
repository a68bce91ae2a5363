import type { Webhook } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { page } from '../../configuration.js';
import { useAction } from '../../hooks/use-action.js';
import { useLeave } from '../../hooks/leaving.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { formatMoment } from '../../texts.js';
import { announce } from '../../ui/announcements.js';
import { DeleteButton } from '../../ui/dialog.js';
import { Facts, Lacks, Page, Section } from '../../ui/page.js';
import { Failure } from '../../ui/failure.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { Moment } from '../entities/parts.js';
import { Secret } from './new-webhook-page.js';
import { type Feed, FEEDS, isInTrouble, nameOf, texts, webhooksOf } from './webhooks.js';
import { Button } from '../../ui/button.js';
import { When } from '../../ui/when.js';

/** What the service says about a failed delivery. */
const inEnglish = (error: string, before = ''): ComponentChildren => (
  <>
    {before} <bdi lang="en">{error}</bdi>
  </>
);

const UNSUPPORTED_MEDIA_TYPE = 415;

/** Says in words why nothing arrives, since when, and what to do. */
function Trouble({ webhook: { state, last_status, last_error = '', failing_since } }: { webhook: Webhook }) {
  const t = texts();
  // The service has lost the place, so that enabling it again would help nobody.
  if (failing_since === undefined) return <p class="notice">{state === 'disabled' ? t.placeGone : inEnglish(last_error)}</p>;
  const since = formatMoment(failing_since);
  return (
    <div class="notice">
      <p>{state === 'disabled' ? t.gaveUp(since) : t.failingFor(since)}</p>
      <p>
        {inEnglish(last_error, last_status === undefined ? t.didNotAnswer : t.answered(last_status))}{' '}
        {last_status === UNSUPPORTED_MEDIA_TYPE && t.mediaType}
      </p>
      {state === 'disabled' && <p>{t.toDo}</p>}
    </div>
  );
}

/** One webhook: its state, and what can be done with it. */
export function WebhookPage() {
  const t = texts();
  const { fibre } = useApp();
  const leave = useLeave();
  const { feed = '', webhook_id: id = '' } = useRoute().params;
  const webhooks = webhooksOf(fibre, feed);
  const loaded = useLoad((signal) => webhooks.read(id, { signal }), id);
  const [secret, setSecret] = useState<string>();
  const [said, say] = useState<ComponentChildren>();
  const action = useAction();
  const scope = FEEDS[feed as Feed] ?? 'events:write';

  const test = async (): Promise<void> => {
    const { delivered, status = 0, error: why = '' } = await webhooks.test(id);
    say(
      <>
        {delivered ? `${t.tested(status)} ${t.wasRead}` : inEnglish(why, t.notTested)} {status === UNSUPPORTED_MEDIA_TYPE && t.mediaType}
      </>,
    );
  };
  const rotate = async (): Promise<void> => setSecret((await webhooks.rotate(id)).secret);
  const enable = async (enabled: boolean): Promise<void> => {
    await webhooks.update(id, { enabled });
    say(enabled && t.enabled);
    loaded.reload();
  };
  const remove = async (): Promise<void> => {
    await webhooks.delete(id);
    announce(t.removed);
    await leave('webhooks');
  };
  const button = (label: string, does: () => Promise<void>) => (
    <Button label={label} scope={scope} isBusy={action.isBusy} onClick={() => void action.run(does)} />
  );
  return (
    <Page title={loaded.data ? nameOf(loaded.data) : t.webhook} above={<a href={page('webhooks')}>{t.webhooks}</a>}>
      <WhenLoaded loaded={loaded} otherwise={<a href={page('webhooks')}>{t.toList}</a>}>
        {(data) => (
          <>
            <section class="section">
              <Facts
                facts={[
                  [t.url, data.url],
                  [t.feed, t[data.feed as Feed]],
                  [t.state, t[data.state]],
                  [t.created, <When at={data.created_at} by={data.created_by} format={formatMoment} />],
                  [t.modified, <When at={data.modified_at} by={data.modified_by} format={formatMoment} />],
                ]}
              />
              {isInTrouble(data) && <Trouble webhook={data} />}
              <Lacks scope={scope} />
              <div class="actions">
                {button(t.test, test)}
                {button(t.rotate, rotate)}
                {button(data.enabled ? t.disable : t.enable, () => enable(!data.enabled))}
                <p role="status">{said}</p>
              </div>
              {action.error !== undefined && <Failure error={action.error} takesFocus />}
            </section>
            <Section title={t.deliveries}>
              <Facts
                facts={[
                  [t.deliveredUntil, <Moment at={data.delivered_until} />],
                  [t.lastAnswer, data.last_status === undefined ? t.noAnswer : String(data.last_status)],
                  [t.failingSince, data.failing_since && <Moment at={data.failing_since} />],
                  [t.lastError, data.last_error && inEnglish(data.last_error)],
                ]}
              />
            </Section>
            {secret !== undefined && <Secret secret={secret} isRotated />}
            <Section title={t.danger} class="section danger-zone">
              <DeleteButton label={t.remove} title={t.removeTitle} warning={t.removeWarning} scope={scope} remove={remove} />
            </Section>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}
