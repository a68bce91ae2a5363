import { Database, readListing } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { DistributionService } from '../distribution/distribution.service.js';
import type { EventFilters, ListScope } from './event-filters.sql.js';
import { eventListing, type EventListName } from './event-lists.sql.js';

@Injectable()
export class EventListsRepository {
  constructor(
    private readonly database: Database,
    private readonly distribution: DistributionService,
  ) {}

  page(name: EventListName, scope: ListScope, filters: EventFilters, page: PageRequest): Promise<PageRows> {
    return readListing(this.database, eventListing(name, scope, filters, this.distribution.isDistributed), page);
  }
}
