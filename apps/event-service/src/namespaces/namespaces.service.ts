import { invalidRequest } from '@fibre/problems';
import { Inject, Injectable } from '@nestjs/common';
import { MAX as NO_NAMESPACE, NIL as PRODUCTION } from 'uuid';
import { shardKeyOf } from '../timeline/event-id.js';
import { type NamespaceName, NamespacesRepository } from './namespaces.repository.js';

export const NAMESPACE_SETTINGS = Symbol('NAMESPACE_SETTINGS');

export interface NamespaceSettings {
  readonly enabled: boolean;
  /** Days without a request after which a namespace is deleted; at least one. */
  readonly retentionDays: number;
}

/** A use is noted in the database at most this often per process. */
export const TOUCH_INTERVAL_MS = 10 * 60 * 1_000;
/** Namespaces whose last use is remembered, so that headers made up by a client cannot fill the memory. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds the id behind a `namespace` header, and sees to it that the namespace outlives the request: an id is given out
 * only within {@link TOUCH_INTERVAL_MS} of a use that is in the database, and the clean-up takes a day at least.
 */
@Injectable()
export class NamespacesService {
  private readonly remembered = new Map<string, { id: Promise<string | undefined>; at: number }>();

  constructor(
    private readonly repository: NamespacesRepository,
    @Inject(NAMESPACE_SETTINGS) private readonly settings: NamespaceSettings,
  ) {}

  /**
   * For an operation that writes: makes the namespace when there is none.
   *
   * @throws Problem 422 when namespaces are switched off
   */
  async forWriting(tenant: string, name: string | undefined): Promise<string> {
    if (name === undefined) return PRODUCTION;
    return (await this.find(tenant, name, (key, now) => this.repository.open(key, now)))!;
  }

  /**
   * For an operation that reads.
   *
   * @returns an id that has no events when there is no such namespace
   * @throws Problem 422 when namespaces are switched off
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
    if (!this.settings.enabled)
      throw invalidRequest([{ parameter: 'namespace', detail: 'is switched off here' }], 'Send the request without the header.');
    const key = `${tenant} ${name}`;
    const known = this.remembered.get(key);
    const now = Date.now();
    if (known && Math.abs(now - known.at) < TOUCH_INTERVAL_MS) {
      const id = await known.id;
      if (id !== undefined) return id;
    }
    return this.remember(key, now, note({ tenant, name, shard_key: shardKeyOf(key) }, new Date(now)));
  }

  private async remember(key: string, at: number, pending: Promise<string | undefined>): Promise<string | undefined> {
    this.remembered.delete(key);
    this.remembered.set(key, { id: pending, at });
    if (this.remembered.size > MAX_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
    const id = await pending.catch((error: unknown) => {
      this.forget(key, pending);
      throw error;
    });
    if (id === undefined) this.forget(key, pending);
    return id;
  }

  private forget(key: string, pending: Promise<string | undefined>): void {
    if (this.remembered.get(key)?.id === pending) this.remembered.delete(key);
  }
}
