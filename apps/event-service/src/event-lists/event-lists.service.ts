import type { Statement } from '@fibre/database';
import { type Page, readPage } from '@fibre/pagination';
import { Inject, Injectable } from '@nestjs/common';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import type { ListScope } from './event-filters.sql.js';
import { EventListsRepository } from './event-lists.repository.js';
import type { ExportEventsQuery, ListEventsQuery } from './event-lists.requests.js';
import { type EventListName, exportEvents } from './event-lists.sql.js';

@Injectable()
export class EventListsService {
  constructor(
    private readonly repository: EventListsRepository,
    private readonly namespaces: NamespacesService,
    @Inject(EVENT_ENV) private readonly env: EventEnv,
  ) {}

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(name: EventListName, tenant: string, namespace: string | undefined, query: ListEventsQuery): Promise<Page> {
    const scope = await this.scopeOf(tenant, namespace);
    const { _page_size, _page_cursor, ...filters } = query;
    const listing = [name, 'of', tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
    return readPage(query, listing, filters, (page) => this.repository.page(name, scope, filters, page));
  }

  /** @throws Problem 422 if namespaces are disabled */
  async export(tenant: string, namespace: string | undefined, { format, ...filters }: ExportEventsQuery): Promise<Statement> {
    return exportEvents(format, await this.scopeOf(tenant, namespace), filters);
  }

  private async scopeOf(tenant: string, namespace: string | undefined): Promise<ListScope> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    return { tenant, namespaceId, now: new Date(), freshHours: this.env.FRESH_HOURS };
  }
}
