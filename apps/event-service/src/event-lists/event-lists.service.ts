import { type Page, readPage } from '@fibre/pagination';
import { Inject, Injectable } from '@nestjs/common';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import type { ListScope } from './event-filters.sql.js';
import { EventListsRepository } from './event-lists.repository.js';
import type { ListEventsQuery } from './event-lists.requests.js';
import type { EventListName } from './event-lists.sql.js';

export const FRESH_HOURS = Symbol('FRESH_HOURS');

@Injectable()
export class EventListsService {
  constructor(
    private readonly repository: EventListsRepository,
    private readonly namespaces: NamespacesService,
    @Inject(FRESH_HOURS) private readonly freshHours: number,
  ) {}

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(name: EventListName, tenant: string, namespace: string | undefined, query: ListEventsQuery): Promise<Page> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const scope: ListScope = { tenant, namespaceId, now: new Date(), freshHours: this.freshHours };
    const { _page_size, _page_cursor, ...filters } = query;
    const listing = [name, 'of', tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
    return readPage(query, listing, filters, (page) => this.repository.page(name, scope, filters, page));
  }
}
