import { Database, type Limit, Limits } from '@fibre/database';
import { Problem } from '@fibre/problems';
import { counter, gauge, readings } from '@fibre/server';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Counter, Gauge, Registry } from 'prom-client';
import { CHANGE_FEEDS, type ListedFeed } from '@fibre/changes';
import { LEASE_SECONDS, WEBHOOK_FEEDS, type WebhookFeeds } from '../webhook.js';
import type { Webhook } from '../webhook.entity.js';
import { STATES } from '../webhook.response.js';
import { nextBatch } from './batch.js';
import { cloudEvent, messageId, SEND_TIMEOUT_MS, WebhookSender } from './webhook-sender.js';
import { type Measures, measureWebhooks, moveOn, noteFailure, shrinkBatch, takeDue } from '../webhook.sql.js';
import { WebhooksRepository } from '../webhooks.repository.js';

const POLL_MS = 500;
const MEASURE_MS = 15_000;
/** Maximum number of webhooks that this process delivers at the same time, and of one tenant, whose receivers may all be slow. */
const [PLACES, PLACES_PER_TENANT] = [40, 5];
/** Maximum number of pages that are read at a time; the other database connections are left to requests. */
const READS_AT_ONCE = 2;
/**
 * Maximum number of reads per second, at 1 ms of CPU each, for webhooks that have caught up. The time until such a webhook is read again
 * stays within the two bounds below.
 */
const IDLE_READS_PER_SECOND = 10;
const [LEAST_IDLE_SECONDS, MOST_IDLE_SECONDS] = [1, 120];

/** Sends changes to webhooks, one batch at a time per webhook. Runs in every replica; a lease gives each webhook to one replica. */
@Injectable()
export class WebhookDelivery implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WebhookDelivery.name);
  /** The deliveries in progress, and whose they are. */
  private readonly underWay = new Map<Promise<void>, string>();
  private readonly reads: Limit;
  private readonly batches: Counter<'outcome'>;
  private readonly disabled: Counter;
  private timers: NodeJS.Timeout[] = [];
  private taking?: Promise<void>;
  private closing = false;
  private measures: Measures = { active: 0, failing: 0, disabled: 0, overdue: 0, lag: 0 };

  constructor(
    private readonly database: Database,
    private readonly repository: WebhooksRepository,
    private readonly sender: WebhookSender,
    @Inject(CHANGE_FEEDS) private readonly feeds: ReadonlyMap<string, ListedFeed>,
    @Inject(WEBHOOK_FEEDS) private readonly sources: WebhookFeeds,
    registry: Registry,
    limits: Limits,
  ) {
    this.reads = limits.add('reads for webhooks', { amount: READS_AT_ONCE, perClient: READS_AT_ONCE, maxWaitMs: LEASE_SECONDS * 1_000 });
    this.batches = counter(registry, 'webhook_batches_total', 'Batches sent to webhooks, by outcome: delivered or failed', 'outcome');
    this.disabled = counter(registry, 'webhooks_disabled_total', 'Webhooks that this process has disabled because they could not go on');
    readings(Gauge, registry, ['webhooks', 'Webhooks, by state'], ['state'], () =>
      STATES.map((state) => [{ state }, this.measures[state]]),
    );
    gauge(registry, 'webhook_lag_seconds', 'How far the last of the enabled webhooks is behind', () => this.measures.lag);
    gauge(registry, 'webhook_deliveries_in_flight', 'Webhooks that this process is delivering to', () => this.underWay.size);
    gauge(registry, 'webhook_overdue_seconds', 'Longest time that a due webhook has waited for a replica', () => this.measures.overdue);
  }

  onApplicationBootstrap(): void {
    this.timers = [setInterval(() => void this.takeDue(), POLL_MS), setInterval(() => void this.measure(), MEASURE_MS)];
    for (const timer of this.timers) timer.unref();
  }

  /** Finishes the current batches; the pool closes after this. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.taking;
    await Promise.all(this.underWay.keys());
  }

  private takeDue(): Promise<void> {
    this.taking ??= this.take().finally(() => (this.taking = undefined));
    return this.taking;
  }

  private async take(): Promise<void> {
    const places = PLACES - this.underWay.size;
    if (this.closing || places === 0) return;
    const sendBefore = performance.now() + LEASE_SECONDS * 1_000 - SEND_TIMEOUT_MS;
    const tenants = [...this.underWay.values()];
    const due = await this.database
      .run<Webhook>(takeDue(places, PLACES_PER_TENANT, tenants))
      .catch((err: unknown) => this.fail({ err }, 'webhooks cannot be read'));
    for (const webhook of due ?? []) {
      const { tenant, webhook_id } = webhook;
      const work = this.deliver(webhook, sendBefore)
        .catch((err: unknown) => this.fail({ err, tenant, webhook_id }, 'a webhook is not retried until its lease ends'))
        .finally(() => this.underWay.delete(work));
      this.underWay.set(work, tenant);
    }
  }

  /** @param sendBefore time after which it is too late to send, because the lease could end before the receiver responds */
  private async deliver(webhook: Webhook, sendBefore: number): Promise<void> {
    const batch = await this.reads
      .run(webhook.tenant, () => nextBatch(this.feeds.get(webhook.feed)!, webhook))
      .catch((error: unknown) => this.disableIfGone(webhook, error));
    if (!batch || this.closing) return;
    const { items, next, settledUntil, end, isEnd } = batch;
    const nextLookSeconds = isEnd ? this.idleSeconds : 0;
    const moveAlong = (deliveredUntil: Date, status?: number) =>
      this.database.run(moveOn(webhook, { place: next, deliveredUntil, status, nextLookSeconds }));
    if (items.length === 0) return void (await moveAlong(settledUntil));

    if (webhook.batch_end !== end) await this.repository.beginBatch(webhook, end);
    if (performance.now() > sendBefore) return;
    const start = performance.now();
    const id = messageId(webhook.webhook_id, webhook.place, end);
    const source = this.sources[webhook.feed]!.source;
    const events = items.map((change) => cloudEvent(source, webhook.feed, change));
    const { delivered, status, error } = await this.sender.send(webhook, id, events);
    const { tenant, webhook_id } = webhook;
    const duration_ms = Math.round(performance.now() - start);
    const line = { tenant, webhook_id, message: id, events: items.length, status, error, duration_ms };
    this.batches.inc({ outcome: delivered ? 'delivered' : 'failed' });
    if (delivered) {
      await moveAlong(isEnd ? settledUntil : new Date(items.at(-1)!.changed_at), status);
      this.logger.log(line, 'webhook batch delivered');
      if (!isEnd) void this.takeDue();
    } else if (status === 413 && items.length > 1) {
      const half = Math.floor(items.length / 2);
      await this.database.run(
        shrinkBatch(webhook, status, `${error}; the next batch has at most ${half} events instead of ${items.length}`, half),
      );
      this.logger.warn(line, 'webhook batch too large for its receiver');
      void this.takeDue();
    } else {
      const [noted] = await this.database.run<{ enabled: boolean }>(noteFailure(webhook, status, error!));
      const isGivenUp = noted?.enabled === false;
      if (isGivenUp) this.disabled.inc();
      this.logger.warn(line, isGivenUp ? 'webhook disabled after three days of failures' : 'webhook batch failed');
    }
  }

  /** Disables a webhook if deletions after its place have been removed, because it would miss them. */
  private async disableIfGone(webhook: Webhook, error: unknown): Promise<undefined> {
    if (!(error instanceof Problem) || error.status !== 410) throw error;
    await this.repository.disable(
      webhook,
      `${error.code}: the webhook was disabled for too long. Make a new copy of the data and create another webhook.`,
    );
    this.disabled.inc();
    this.logger.warn(
      { tenant: webhook.tenant, webhook_id: webhook.webhook_id },
      'webhook disabled: its place in the feed no longer exists',
    );
  }

  private get idleSeconds(): number {
    return Math.min(MOST_IDLE_SECONDS, Math.max(LEAST_IDLE_SECONDS, this.measures.active / IDLE_READS_PER_SECOND));
  }

  private async measure(): Promise<void> {
    const rows = await this.database
      .run<Measures & object>(measureWebhooks)
      .catch((err: unknown) => this.fail({ err }, 'webhooks cannot be counted'));
    this.measures = rows?.[0] ?? this.measures;
  }

  private fail(fields: object, message: string): undefined {
    this.logger.warn(fields, message);
  }
}
