import { type Page, readPage } from '@fibre/pagination';
import { recordNotFound } from '@fibre/problems';
import { Injectable } from '@nestjs/common';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { shardKeyOf } from '../timeline/event-id.js';
import { EntitiesRepository } from './entities.repository.js';
import type { ListEntitiesQuery, ReadEntityQuery } from './entities.requests.js';

/** Entities, derived from their timelines. Every method only sees those of its tenant and namespace. */
@Injectable()
export class EntitiesService {
  constructor(
    private readonly repository: EntitiesRepository,
    private readonly namespaces: NamespacesService,
  ) {}

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(tenant: string, namespace: string | undefined, query: ListEntitiesQuery): Promise<Page> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const { _page_size, _page_cursor, ...filters } = query;
    const listing = ['entities of', tenant, ...(namespace === undefined ? [] : ['in', namespace])].join(' ');
    return readPage(query, listing, filters, (page) => this.repository.page({ tenant, namespaceId }, filters, page));
  }

  /** @throws Problem 404 */
  async read(tenant: string, namespace: string | undefined, entityId: string, { at }: ReadEntityQuery): Promise<string> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    const json = await this.repository.find({ tenant, namespaceId, entityId, shardKey: shardKeyOf(entityId) }, at);
    if (json === undefined) throw recordNotFound('entity', entityId);
    return json;
  }
}
