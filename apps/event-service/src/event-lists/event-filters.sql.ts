import { given, join, raw, type Sql, sql } from '@fibre/database';
import type { PageQuery } from '@fibre/pagination';
import type { Timestamp } from '@fibre/dto';
import { leastIdAt } from '../timeline/event-id.js';
import { inScope, sameTimeline } from '../timeline/timeline.sql.js';
import type { Scope } from '../timeline/timeline.js';
import type { EventToken, ListLatestEventsQuery } from './event-lists.requests.js';

/** Filters of a listing; absent ones are ignored. */
export type EventFilters = Omit<ListLatestEventsQuery, keyof PageQuery>;

/** Tenant, namespace and current time of a listing. */
export interface ListScope extends Scope {
  readonly now: Date;
  /** Hours after creation during which an event counts as fresh. */
  readonly freshHours: number;
  /** Whether the tables are distributed. */
  readonly onCluster?: boolean;
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum length of a period whose days are read one by one; for each day, as many index entries are read as the page has records. */
const MAX_DAYS_ONE_BY_ONE = 366;

const TOKEN_CONDITIONS: Readonly<Record<EventToken, (scope: ListScope) => Sql>> = {
  // The id also contains the time of the creation, and has an index.
  fresh: ({ now, freshHours }) => {
    const since = new Date(now.getTime() - freshHours * HOUR_MS);
    return sql`e.created_at >= ${since}::timestamptz and e.event_id >= ${leastIdAt(since.getTime())}::uuid`;
  },
  untouched: () => sql`not e.overwritten`,
  // Looks at the event's timeline `t`: a deactivation at or after the event exists if and only if the last deactivation is at or after it.
  completed: ({ now }) => sql`e.event_at <= case e.event_type when 'notification' then ${now}::timestamptz else t.deactivated_at end`,
};

/** Condition that an event `e` belongs to a timeline `t`. */
const OF_TIMELINE = raw(sameTimeline('e', 't'));

/** The filters of one statement. Only filters in use are included, so each set has its own plan. */
export type EventConditions = ReturnType<typeof conditionsOf>;

/** The least id of the events that are recorded after an instant: `created_at` has milliseconds, and an id begins with it. */
const leastIdAfter = ({ instant }: Timestamp): Sql => sql`${leastIdAt(instant.epochMilliseconds + 1)}::uuid`;

export function conditionsOf(scope: ListScope, filters: EventFilters) {
  const { period, period_end, token, entity_id, event_type, partner_id, recorded_from, recorded_until, created_by, modified_by } = filters;
  const isOf = inScope({ ...scope, entityId: entity_id });
  const [first, last] = [period, period_end === period ? undefined : period_end].map((day) => given(day, (date) => sql`${date}::date`));
  const narrowing = [
    first && (last ? sql`e.event_date >= ${first} and e.event_date <= ${last}` : sql`e.event_date = ${first}`),
    given(token, (name) => TOKEN_CONDITIONS[name](scope)),
    given(event_type, (type) => sql`e.event_type = ${type}`),
    given(partner_id, (id) => sql`e.partner_id = ${id}::uuid`),
    given(recorded_from, (at) => sql`e.event_id >= ${leastIdAfter(at)}`),
    given(recorded_until, (at) => sql`e.event_id < ${leastIdAfter(at)}`),
    given(created_by, (author) => sql`e.created_by = ${author}`),
    given(modified_by, (author) => sql`e.modified_by = ${author}`),
  ];
  const isIndexed = [period, event_type, partner_id, recorded_from, recorded_until, created_by, modified_by].some(
    (filter) => filter !== undefined,
  );
  const isDistributed = scope.onCluster && entity_id === undefined;
  const isFew = Date.parse(period_end!) - Date.parse(period!) < MAX_DAYS_ONE_BY_ONE * DAY_MS;
  const from = token === 'completed' ? sql`event e join timeline t on ${OF_TIMELINE} and ${isOf('t')}` : sql`event e`;
  return {
    /** Condition on rows of either table: tenant, namespace, and optionally the entity. */
    isOf,
    /** The `from` and `where` clauses for the matching events `e`. */
    matching: sql`from ${from} where ${join([isOf('e'), ...narrowing], ' and ')}`,
    /** The `from` and `where` clauses for the matching events of one timeline `t`. */
    eventsOfTimeline: sql`from event e where ${join([OF_TIMELINE, isOf('e'), ...narrowing], ' and ')}`,
    /** Whether an index finds the matching events; unless very many match, it is then better to read them first. */
    isSelective: isIndexed || token === 'fresh',
    /** Whether there is no filter besides the entity, so that either all events of a timeline match or none do. */
    passAll: !isIndexed && token === undefined,
    /** Whether the events are on several servers; those of one entity are on one server. */
    isDistributed,
    /** Rows `day` for the days of a period: the index orders the events within each day by id, but not across days. Citus cannot join them. */
    days:
      last && isFew && !isDistributed
        ? sql`(select d::date as day from generate_series(${first}, ${last}, interval '1 day') d) day`
        : undefined,
  };
}
