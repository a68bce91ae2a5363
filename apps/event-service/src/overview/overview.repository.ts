import { countRecords, Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { Temporal } from 'temporal-polyfill';
import { entityListing } from '../entities/entity-list.sql.js';
import { eventListing } from '../event-lists/event-lists.sql.js';
import { ENTITY_STATES } from '../timeline/timeline.js';
import { monthsUntil } from './months.js';
import type { TrendQuery } from './overview.requests.js';
import { type EventOverviewResponse, type MonthResponse, StateCountsResponse } from './overview.response.js';
import { selectTrend } from './overview.sql.js';

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

  /**
   * What was activated and deactivated in each month, and what was then active. On every timeline, activations and deactivations
   * alternate, so the difference between their numbers is that of the active entities.
   */
  async readTrend(tenant: string, namespaceId: string, { months, timezone }: TrendQuery): Promise<MonthResponse[]> {
    const shown = monthsUntil(Temporal.Now.instant(), months, timezone);
    const starts = shown.map(({ start }) => start);
    const counts = new Map((await this.database.run<Changes>(selectTrend({ tenant, namespaceId }, starts))).map((row) => [row.place, row]));
    const changesIn = (place: number): Changes => counts.get(place) ?? { place, activations: 0, deactivations: 0 };
    let active = changesIn(0).activations - changesIn(0).deactivations;
    return shown.map(({ month }, index) => {
      const { activations, deactivations } = changesIn(index + 1);
      active += activations - deactivations;
      return { month, activations, deactivations, active };
    });
  }
}

interface Changes {
  /** Number of the month, from 1; 0 is everything before the first month. */
  readonly place: number;
  readonly activations: number;
  readonly deactivations: number;
}
