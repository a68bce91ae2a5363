import { Database, readListing } from '@fibre/database';
import { type Page, readPage } from '@fibre/pagination';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import type { ListRefusedEventsQuery } from './refused-events.requests.js';
import { deleteSurplus, insertRefused, MOST_PER_TENANT, type RefusedEvent, refusedEvents } from './refused-events.sql.js';

/** Milliseconds for which a refused event may wait for others, with which it is stored. */
const STORE_AFTER_MS = 500;

/**
 * Events that were refused, so that a person can see later what a program was told. They are stored a moment after the response, many at
 * once: a refusal takes as long as without them, and a client that sends thousands a second costs two statements. If the process is
 * killed, those of the last {@link STORE_AFTER_MS} are lost.
 */
@Injectable()
export class RefusedEvents implements OnModuleDestroy {
  private readonly logger = new Logger(RefusedEvents.name);
  /** Those that are not stored yet, by tenant, at most {@link MOST_PER_TENANT} each. */
  private waiting = new Map<string, RefusedEvent[]>();
  private timer?: NodeJS.Timeout;
  private storing?: Promise<void>;
  private closing = false;

  constructor(
    private readonly database: Database,
    private readonly namespaces: NamespacesService,
  ) {}

  /** Remembers a refused event. While the service shuts down, it is stored before the response is sent. */
  async add(event: Omit<RefusedEvent, 'refused_id' | 'refused_at'>): Promise<void> {
    const ofTenant = this.waiting.get(event.tenant) ?? [];
    this.waiting.set(event.tenant, ofTenant);
    if (ofTenant.length >= MOST_PER_TENANT) ofTenant.shift();
    ofTenant.push({ ...event, refused_id: uuidv7(), refused_at: new Date() });
    if (this.closing) await this.store();
    else this.timer ??= setTimeout(() => void (this.storing = this.store()), STORE_AFTER_MS).unref();
  }

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(tenant: string, namespace: string | undefined, { entity_id, ...page }: ListRefusedEventsQuery): Promise<Page> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    return readPage(page, 'refused-events', { tenant, namespace, entity_id }, (place) =>
      readListing(this.database, refusedEvents(tenant, namespaceId, entity_id), place),
    );
  }

  /** The pool closes after this. */
  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    await this.storing;
    await this.store();
  }

  private async store(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { waiting } = this;
    if (waiting.size === 0) return;
    this.waiting = new Map();
    await this.database
      .transaction(async (run) => {
        await run(insertRefused([...waiting.values()].flat()));
        await run(deleteSurplus([...waiting.keys()]));
      })
      .catch((err: unknown) => this.logger.warn({ err }, 'refused events cannot be stored'));
  }
}
