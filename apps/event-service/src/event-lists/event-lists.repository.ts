import { Database, estimateRecords, readListing } from '@fibre/database';
import type { PageRequest, PageRows } from '@fibre/pagination';
import { Injectable } from '@nestjs/common';
import { DistributionService } from '../distribution/distribution.service.js';
import { EventConditions, type EventFilters, type ListScope } from './event-filters.sql.js';
import { eventListing, type EventListName } from './event-lists.sql.js';

/** Up to this many matches are read first and then grouped by entity. Above, the last event of each entity is found timeline by timeline. */
const MAX_FOUND_FIRST = 20_000;

@Injectable()
export class EventListsRepository {
  constructor(
    private readonly database: Database,
    private readonly distribution: DistributionService,
  ) {}

  async page(name: EventListName, scope: ListScope, filters: EventFilters, page: PageRequest): Promise<PageRows> {
    const byTimeline = name === 'latest' && (await this.passMany(scope, filters));
    return readListing(this.database, eventListing(name, scope, filters, { onCluster: this.distribution.isDistributed, byTimeline }), page);
  }

  /** Decides by the planner's estimate, which it only requests if an index finds the events. */
  private async passMany(scope: ListScope, filters: EventFilters): Promise<boolean> {
    if (!new EventConditions(scope, filters).isSelective) return false;
    return (await estimateRecords(this.database, eventListing('events', scope, filters))) > MAX_FOUND_FIRST;
  }
}
