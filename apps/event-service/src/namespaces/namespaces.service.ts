import { invalidRequest } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { MAX as NO_NAMESPACE, NIL as PRODUCTION } from 'uuid';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { shardKeyOf } from '../timeline/event-id.js';
import { type NamespaceName, NamespacesRepository } from './namespaces.repository.js';

/** The use of a namespace is only recorded if the last recorded use is older than this. */
export const TOUCH_INTERVAL_MS = 10 * 60 * 1_000;

/**
 * Finds the id for a `namespace` header, and makes sure that the namespace outlives the request: it only returns an id within
 * {@link TOUCH_INTERVAL_MS} of a recorded use, and the clean-up waits at least a day.
 */
@Injectable()
export class NamespacesService {
  constructor(
    private readonly repository: NamespacesRepository,
    @Inject(EVENT_ENV) private readonly env: Pick<EventEnv, 'NAMESPACES_ENABLED'>,
  ) {}

  /**
   * The namespace of an operation that writes; creates it if needed.
   *
   * @throws Problem 422 if namespaces are disabled
   */
  async forWriting(tenant: string, name: string | undefined): Promise<string> {
    if (name === undefined) return PRODUCTION;
    return (await this.find(tenant, name, (key, now) => this.repository.open(key, now)))!;
  }

  /**
   * The namespace of an operation that reads.
   *
   * @returns an id without events if there is no such namespace
   * @throws Problem 422 if namespaces are disabled
   */
  async forReading(tenant: string, name: string | undefined): Promise<string> {
    if (name === undefined) return PRODUCTION;
    return (await this.find(tenant, name, (key, now) => this.repository.touch(key, now))) ?? NO_NAMESPACE;
  }

  private async find(
    tenant: string,
    name: string,
    note: (key: NamespaceName, now: Date) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    if (!this.env.NAMESPACES_ENABLED)
      throw invalidRequest([{ parameter: 'namespace', detail: 'is disabled on this service' }], 'Send the request without the header.');
    const key = { tenant, name, shard_key: shardKeyOf(`${tenant} ${name}`) };
    const now = Date.now();
    const stored = await this.repository.find(key);
    if (stored && now - stored.last_used_at.getTime() < TOUCH_INTERVAL_MS) return stored.namespace_id;
    return note(key, new Date(now));
  }
}
