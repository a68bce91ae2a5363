import type { Readable } from 'node:stream';
import { type Page, readPage } from '@fibre/pagination';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import type { ListScope } from './event-filters.sql.js';
import { EventListsRepository } from './event-lists.repository.js';
import type { ExportEventsQuery, ListEventsQuery } from './event-lists.requests.js';
import type { EventListName } from './event-lists.sql.js';

@Injectable()
export class EventListsService {
  /** Milliseconds that an export may take. */
  readonly maxExportMs: number;

  constructor(
    private readonly repository: EventListsRepository,
    private readonly namespaces: NamespacesService,
    @Inject(EVENT_ENV) private readonly env: EventEnv,
  ) {
    this.maxExportMs = env.EXPORT_MAX_SECONDS * 1_000;
  }

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(name: EventListName, tenant: string, namespace: string | undefined, query: ListEventsQuery): Promise<Page> {
    const scope = await this.scopeOf(tenant, namespace);
    const { _page_size, _page_cursor, ...filters } = query;
    const listing = [name, 'of', tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
    return readPage(query, listing, filters, (page) => this.repository.page(name, scope, filters, page));
  }

  /** @throws Problem 422 if namespaces are disabled */
  async copy(
    tenant: string,
    namespace: string | undefined,
    { format, ...filters }: ExportEventsQuery,
    consume: (bytes: Readable) => Promise<void>,
  ): Promise<void> {
    await this.repository.copy(format, await this.scopeOf(tenant, namespace), filters, consume, this.maxExportMs);
  }

  private async scopeOf(tenant: string, namespace: string | undefined): Promise<ListScope> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    return { tenant, namespaceId, now: new Date(), freshHours: this.env.FRESH_HOURS };
  }
}
