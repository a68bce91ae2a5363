import { randomBytes } from 'node:crypto';
import type { Scopes } from '@fibre/auth';
import { type Limit, Limits } from '@fibre/database';
import { isEmptyPatch } from '@fibre/dto';
import { type OrderedPageQuery, type Page, readPage } from '@fibre/pagination';
import { found, Problem } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CHANGE_FEEDS, type ListedFeed } from '@fibre/changes';
import { SettledTime } from '@fibre/settled-time';
import { MAX_WEBHOOKS, WEBHOOK_FEEDS, type WebhookFeeds } from './webhook.js';
import type { Webhook } from './webhook.entity.js';
import type { NewWebhook, WebhookPatch } from './webhook.requests.js';
import { cloudEvent, messageId, type Outcome, WebhookSender } from './sending/webhook-sender.js';
import { WebhooksRepository } from './webhooks.repository.js';

const SECRET_BYTES = 32;

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Rules for webhooks. Every method sees only the tenant's webhooks, and among them only those for feeds that the token allows. */
@Injectable()
export class WebhooksService {
  private readonly tests: Limit;

  constructor(
    private readonly repository: WebhooksRepository,
    private readonly sender: WebhookSender,
    @Inject(WEBHOOK_FEEDS) private readonly known: WebhookFeeds,
    @Inject(CHANGE_FEEDS) private readonly feeds: ReadonlyMap<string, ListedFeed>,
    private readonly settled: SettledTime,
    limits: Limits,
  ) {
    this.tests = limits.add('tests of webhooks', { perClient: 1, maxWaitMs: 1_000 });
  }

  /** @throws Problem 403, 409 `too-many-webhooks`, 410 `changes-gone`, 422 */
  async create(
    tenant: string,
    actor: string | null,
    granted: Scopes,
    { url, feed, description, enabled, since, ...given }: NewWebhook,
  ): Promise<Webhook> {
    granted.require(this.known[feed]!.manage);
    const now = await this.settled.clock();
    const from = since ? new Date(since.instant.epochMilliseconds) : now;
    const source = this.feeds.get(feed)!;
    const place = source.startingAt(from);
    const filters = Object.fromEntries(Object.entries<string | null | undefined>(given).filter(([, value]) => value != null));
    // Fails if deletions since then have been removed.
    await source.read({ tenant }, filters as Record<string, string>, place, 1);
    const webhook = {
      tenant,
      webhook_id: uuidv7(),
      url,
      feed,
      filters: filters as Record<string, string>,
      description: description ?? null,
      enabled: enabled ?? true,
      since: from,
      secret: newSecret(),
      place,
      due_at: now,
      delivered_until: from,
      created_at: now,
      created_by: actor,
      modified_at: now,
      modified_by: actor,
    };
    const stored = await this.repository.insert(webhook);
    if (!stored) throw tooManyWebhooks();
    return stored;
  }

  list(tenant: string, granted: Scopes, query: OrderedPageQuery): Promise<Page> {
    const feeds = Object.keys(this.known).filter((feed) => granted.has(this.known[feed]!.read));
    return readPage(query, `webhooks of ${tenant}`, { feeds }, (page) => this.repository.page(tenant, feeds, page));
  }

  /** @throws Problem 403, 404 */
  async read(tenant: string, granted: Scopes, webhookId: string, to: 'read' | 'manage' = 'read'): Promise<Webhook> {
    const webhook = found(await this.repository.find(tenant, webhookId), 'webhook', webhookId);
    granted.require(this.known[webhook.feed]![to]);
    return webhook;
  }

  /** @throws Problem 403, 404 */
  async update(tenant: string, actor: string | null, granted: Scopes, webhookId: string, changes: WebhookPatch): Promise<Webhook> {
    const webhook = await this.read(tenant, granted, webhookId, 'manage');
    if (isEmptyPatch(changes) || isUnchanged(webhook, changes)) return webhook;
    return found(await this.repository.update(tenant, actor, webhookId, changes), 'webhook', webhookId);
  }

  /** @throws Problem 403, 404 */
  async rotate(tenant: string, actor: string | null, granted: Scopes, webhookId: string): Promise<Webhook> {
    await this.read(tenant, granted, webhookId, 'manage');
    return found(await this.repository.rotate(tenant, actor, webhookId, newSecret()), 'webhook', webhookId);
  }

  /** @throws Problem 403, 404 */
  async delete(tenant: string, granted: Scopes, webhookId: string): Promise<void> {
    await this.read(tenant, granted, webhookId, 'manage');
    await this.repository.delete(tenant, webhookId);
  }

  /**
   * Sends a test event.
   *
   * @throws Problem 403, 404, 503 while another test of the tenant is running
   */
  async test(tenant: string, granted: Scopes, webhookId: string): Promise<Outcome> {
    const webhook = await this.read(tenant, granted, webhookId, 'manage');
    const change = { id: uuidv7(), change: 'test', changed_at: new Date().toISOString(), json: JSON.stringify({ webhook_id: webhookId }) };
    const event = cloudEvent(webhook.webhook_id, 'webhook', change);
    return this.tests.run(tenant, () => this.sender.send(webhook, messageId(change.id), [event]));
  }
}

/** Whether a webhook already has these values, and has no failures that enabling it or giving it a URL would end. */
function isUnchanged(webhook: Webhook, changes: WebhookPatch): boolean {
  const endsFailures = (changes.enabled === true || changes.url !== undefined) && (webhook.failing_since ?? webhook.last_error) !== null;
  const values = Object.entries(changes).filter(([, value]) => value !== undefined);
  return !endsFailures && values.every(([name, value]) => webhook[name as keyof WebhookPatch] === value);
}

const tooManyWebhooks = (): Problem =>
  new Problem(409, 'too-many-webhooks', 'Too many webhooks', {
    detail: `Your tenant already has ${MAX_WEBHOOKS} webhooks, the maximum.`,
    hint: 'Delete one that you no longer need.',
  });
