import { countRecords, Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { entityListing } from '../entities/entity-list.sql.js';
import { eventListing } from '../event-lists/event-lists.sql.js';
import { ENTITY_STATES } from '../timeline/timeline.js';
import { type EventOverviewResponse, StateCountsResponse } from './overview.response.js';

const HOURS = 24;

@Injectable()
export class OverviewRepository {
  constructor(private readonly database: Database) {}

  /** One statement at a time, so that an overview uses only one connection. */
  async read(tenant: string, namespaceId: string): Promise<EventOverviewResponse> {
    const entities = new StateCountsResponse();
    for (const state of ENTITY_STATES)
      entities[state] = await countRecords(this.database, entityListing({ tenant, namespaceId }, { state }));
    const scope = { tenant, namespaceId, now: new Date(), freshHours: HOURS };
    const fresh = eventListing('events', scope, { token: 'fresh' });
    return { entities, events_of_last_day: await countRecords(this.database, fresh) };
  }
}
