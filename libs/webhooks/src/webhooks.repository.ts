import { Database, readRecords } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { type SettableFields, Webhook } from './webhook.entity.js';
import { LEASE_SECONDS, MAX_WEBHOOKS } from './webhook.js';
import { toWebhookResponse } from './webhook.response.js';
import type { LeasedWebhook } from './webhook.sql.js';

/** First key of the advisory lock that creating a webhook takes for its tenant. */
const CREATION_LOCK = 826_114_507;

@Injectable()
export class WebhooksRepository {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly database: Database,
  ) {}

  /** @returns `undefined` if the tenant already has {@link MAX_WEBHOOKS} */
  insert(fields: Partial<Webhook>): Promise<Webhook | undefined> {
    const webhook = this.webhooks.create(fields);
    return this.webhooks.manager.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1, hashtext($2))', [CREATION_LOCK, webhook.tenant]);
      if ((await manager.countBy(Webhook, { tenant: webhook.tenant })) >= MAX_WEBHOOKS) return undefined;
      await manager.insert(Webhook, webhook);
      return webhook;
    });
  }

  find(tenant: string, webhook_id: string): Promise<Webhook | null> {
    return this.webhooks.findOneBy({ tenant, webhook_id });
  }

  page(tenant: string, feeds: readonly string[], page: PageRequest): Promise<PageRows> {
    const where = { tenant, feed: In(feeds) };
    const { webhooks: repository } = this;
    return readRecords(this.database, { repository, label: 'webhooks', where, key: 'webhook_id', toResponse: toWebhookResponse }, page);
  }

  /**
   * Changes a webhook, and resets its failures if it is enabled or its URL changes. The webhook becomes due within {@link LEASE_SECONDS}:
   * by then, any lease that a replica holds now has ended.
   *
   * @returns `undefined` if there is no such webhook
   */
  update(tenant: string, actor: string | null, webhook_id: string, changes: Partial<SettableFields>): Promise<Webhook | undefined> {
    return this.write(tenant, actor, webhook_id, {
      ...changes,
      ...((changes.enabled || changes.url !== undefined) && { failing_since: null, last_error: null }),
      due_at: () => `least(due_at, now() + interval '${LEASE_SECONDS} seconds')`,
    });
  }

  /** @returns `undefined` if there is no such webhook */
  rotate(tenant: string, actor: string | null, webhook_id: string, secret: string): Promise<Webhook | undefined> {
    return this.write(tenant, actor, webhook_id, { secret, previous_secret: () => 'secret', rotated_at: () => 'now()' });
  }

  private async write(
    tenant: string,
    actor: string | null,
    webhook_id: string,
    set: QueryDeepPartialEntity<Webhook>,
  ): Promise<Webhook | undefined> {
    const update = this.webhooks.createQueryBuilder().update();
    const written = update
      .set({ ...set, modified_at: () => 'write_time()', modified_by: actor })
      .where({ tenant, webhook_id })
      .returning('*');
    return ((await written.execute()).raw as Webhook[])[0];
  }

  async delete(tenant: string, webhook_id: string): Promise<boolean> {
    return (await this.webhooks.delete({ tenant, webhook_id })).affected === 1;
  }

  async beginBatch({ tenant, webhook_id, place }: LeasedWebhook, batch_end: string): Promise<void> {
    await this.webhooks.update({ tenant, webhook_id, place }, { batch_end });
  }

  async disable({ tenant, webhook_id, place }: LeasedWebhook, last_error: string): Promise<void> {
    await this.webhooks.update({ tenant, webhook_id, place }, { enabled: false, last_error });
  }
}
