import { countRecords, Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { Temporal } from 'temporal-polyfill';
import { entityListing } from '../entities/entity-list.sql.js';
import { eventListing } from '../event-lists/event-lists.sql.js';
import { refusedEvents } from '../refused-events/refused-events.sql.js';
import { ENTITY_STATES } from '../timeline/timeline.js';
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
    return {
      entities,
      events_of_last_day: await countRecords(this.database, fresh),
      refused_events: await countRecords(this.database, refusedEvents(tenant, namespaceId)),
    };
  }

  /** What was activated and deactivated in each month, and what was active at its end: what is active now, less what has changed since. */
  async readTrend(tenant: string, namespaceId: string, { months, timezone }: TrendQuery): Promise<MonthResponse[]> {
    const current = Temporal.Now.plainDateISO(timezone).toPlainYearMonth();
    const shown = Array.from({ length: months }, (_, index) => current.subtract({ months: months - 1 - index }));
    const starts = shown.map((month) => month.toPlainDate({ day: 1 }).toZonedDateTime(timezone).toInstant().toString());
    const rows = await this.database.run<Changes>(selectTrend({ tenant, namespaceId }, starts));
    const [now, ...changes] = rows.toSorted((one, other) => one.place - other.place);
    let active = now!.activations;
    const trend: MonthResponse[] = [];
    for (const month of shown.toReversed()) {
      const { activations, deactivations } = changes.pop()!;
      trend.unshift({ month: month.toString(), activations, deactivations, active });
      active += deactivations - activations;
    }
    return trend;
  }
}

/** A row of {@link selectTrend}. */
interface Changes {
  readonly place: number;
  readonly activations: number;
  readonly deactivations: number;
}
