import { Database, estimateRecords, readListing, type Statement } from '@fibre/database';
import { type Page, readPage } from '@fibre/pagination';
import { Inject, Injectable } from '@nestjs/common';
import { DistributionService } from '../citus/distribution.service.js';
import { EVENT_ENV, type EventEnv } from '../event.env.js';
import { NamespacesService } from '../namespaces/namespaces.service.js';
import { conditionsOf, type EventFilters, type ListScope } from './event-filters.sql.js';
import type { ExportEventsQuery, ListEventsQuery, ListLatestEventsQuery } from './event-lists.requests.js';
import { eventListing, type EventListName, exportEvents, withSubscription } from './event-lists.sql.js';

/**
 * Up to this many matches are read first and then grouped by entity. With more matches, the last event of each entity is found timeline by
 * timeline.
 */
const MAX_FOUND_FIRST = 20_000;

@Injectable()
export class EventListsService {
  constructor(
    private readonly database: Database,
    private readonly distribution: DistributionService,
    private readonly namespaces: NamespacesService,
    @Inject(EVENT_ENV) private readonly env: EventEnv,
  ) {}

  /** @throws Problem 422 if namespaces are disabled or the cursor belongs to another listing */
  async list(
    name: EventListName,
    tenant: string,
    namespace: string | undefined,
    query: ListLatestEventsQuery & Partial<ListEventsQuery>,
  ): Promise<Page> {
    const scope = await this.scopeOf(tenant, namespace);
    const { _page_size, _page_cursor, _order, with_subscription = 'false', ...filters } = query;
    return readPage(query, name, { tenant, namespace, ...filters }, async (page) => {
      const byTimeline = name === 'latest' && (await this.matchesMany(scope, filters));
      const listing = eventListing(name, scope, filters, byTimeline);
      return readListing(
        this.database,
        with_subscription === 'true' ? withSubscription(listing, { ...scope, entityId: filters.entity_id }) : listing,
        page,
      );
    });
  }

  /** @throws Problem 422 if namespaces are disabled */
  async export(tenant: string, namespace: string | undefined, { format, ...filters }: ExportEventsQuery): Promise<Statement> {
    return exportEvents(format, await this.scopeOf(tenant, namespace), filters);
  }

  /** Uses the planner's estimate, which is only requested if an index finds the events. */
  private async matchesMany(scope: ListScope, filters: EventFilters): Promise<boolean> {
    if (!conditionsOf(scope, filters).isSelective) return false;
    return (await estimateRecords(this.database, eventListing('events', scope, filters))) > MAX_FOUND_FIRST;
  }

  private async scopeOf(tenant: string, namespace: string | undefined): Promise<ListScope> {
    const namespaceId = await this.namespaces.forReading(tenant, namespace);
    return { tenant, namespaceId, now: new Date(), freshHours: this.env.FRESH_HOURS, onCluster: this.distribution.isDistributed };
  }
}
