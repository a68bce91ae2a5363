import { RegularWork } from '@fibre/server';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { TOUCH_INTERVAL_MS } from './namespaces.service.js';
import { NamespacesRepository } from './namespaces.repository.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Deletes unused namespaces with all their events, on every replica. */
@Injectable()
export class NamespaceCleanUp extends RegularWork {
  constructor(
    private readonly repository: NamespacesRepository,
    @Inject(EVENT_ENV) private readonly env: Pick<EventEnv, 'NAMESPACE_RETENTION_DAYS'>,
  ) {
    super('deleting unused namespaces');
  }

  /** @returns the number of batches */
  async run(now = Date.now()): Promise<number> {
    // The last use of a namespace in the database may be up to TOUCH_INTERVAL_MS out of date.
    const cutoff = new Date(now - this.env.NAMESPACE_RETENTION_DAYS * DAY_MS - TOUCH_INTERVAL_MS);
    let steps = 0;
    while (!this.closing && (await this.repository.cleanUpStep(cutoff))) steps++;
    return steps;
  }
}
