import { counter, RegularWork } from '@fibre/server';
import { Inject, Injectable } from '@nestjs/common';
import { type Counter, Registry } from 'prom-client';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { TOUCH_INTERVAL_MS } from './namespaces.service.js';
import { NamespacesRepository } from './namespaces.repository.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Deletes unused namespaces with all their events, on every replica. */
@Injectable()
export class NamespaceCleanUp extends RegularWork {
  private readonly deleted: Counter;

  constructor(
    private readonly repository: NamespacesRepository,
    @Inject(EVENT_ENV) private readonly env: Pick<EventEnv, 'NAMESPACE_RETENTION_DAYS'>,
    registry: Registry,
  ) {
    super('deleting unused namespaces');
    this.deleted = counter(registry, 'namespaces_deleted_total', 'Unused namespaces deleted with all their events');
  }

  /** @returns the number of batches */
  async run(now = Date.now()): Promise<number> {
    // The last use of a namespace in the database may be up to TOUCH_INTERVAL_MS out of date.
    const cutoff = new Date(now - this.env.NAMESPACE_RETENTION_DAYS * DAY_MS - TOUCH_INTERVAL_MS);
    for (let steps = 0; ; steps++) {
      const found = this.closing ? 'done' : await this.repository.cleanUpStep(cutoff);
      if (found === 'done') return steps;
      if (found === 'deleted') this.deleted.inc();
    }
  }
}
