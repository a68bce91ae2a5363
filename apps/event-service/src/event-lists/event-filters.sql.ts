import type { Timestamp } from '@fibre/dto';
import type { PageQuery } from '@fibre/pagination';
import { leastIdAt, shardKeyOf } from '../timeline/event-id.js';
import { sameTimeline } from '../timeline/timeline.sql.js';
import type { EventToken, ListEventsQuery } from './event-lists.requests.js';

/** Filters of a listing; absent ones are ignored. */
export type EventFilters = Omit<ListEventsQuery, keyof PageQuery>;

/** Tenant, namespace and current time of a listing. */
export interface ListScope {
  readonly tenant: string;
  readonly namespaceId: string;
  readonly now: Date;
  /** Hours after creation during which an event counts as fresh. */
  readonly freshHours: number;
}

/** Binds a value and returns its placeholder. */
export type BindValue = (value: unknown) => string;

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum length of a period whose days are read one by one; for each day, as many index entries are read as the page has records. */
const MAX_DAYS_ONE_BY_ONE = 366;

const TOKEN_CONDITIONS: Readonly<Record<EventToken, (bind: BindValue, scope: ListScope) => string[]>> = {
  // The id also contains the time of the creation, accurate to a few milliseconds, and has an index.
  fresh: (bind, { now, freshHours }) => {
    const since = new Date(now.getTime() - freshHours * HOUR_MS);
    return [`e.created_at >= ${bind(since)}::timestamptz`, `e.event_id >= ${bind(leastIdAt(since.getTime()))}::uuid`];
  },
  untouched: () => ['not e.overwritten'],
  // Looks at the event's timeline `t`: a deactivation at or after the event exists if and only if the last deactivation is at or after it.
  completed: (bind, { now }) => [
    `e.event_at <= case e.event_type when 'notification' then ${bind(now)}::timestamptz else t.deactivated_at end`,
  ],
};

/**
 * Conditions for events that were created or overwritten since a given time, in two parts, each with its own index: ids identify the events
 * created since then, accurate to a few milliseconds, and older events must have been overwritten. With a single condition PostgreSQL would
 * walk through the ids of all older events.
 */
function modifiedSince(bind: BindValue, { instant, utc }: Timestamp): string[][] {
  const since = `e.modified_at >= ${bind(utc)}::timestamptz`;
  const least = `${bind(leastIdAt(instant.epochMilliseconds))}::uuid`;
  return [
    [`e.event_id >= ${least}`, since],
    [`e.event_id < ${least}`, since, 'e.overwritten'],
  ];
}

/** The first day of a period and, unless it is the only one, the last. */
const boundDays = (bind: BindValue, period: string, end = period): string[] =>
  [period, ...(end === period ? [] : [end])].map((day) => `${bind(day)}::date`);

/** Condition that an event `e` belongs to a timeline `t`. */
const OF_TIMELINE = sameTimeline('e', 't');

/** The filters of one statement and their values. Only filters in use are included, so each set has its own plan. */
export class EventConditions {
  readonly values: unknown[] = [];
  /** The `from` and `where` clauses for the matching events `e`, in disjoint parts. */
  readonly parts: readonly string[];
  /** Whether an index finds the matching events; it is then better to read them first. */
  readonly isSelective: boolean;
  /** Rows `day` for the days of a period: the index orders the events within each day by id, but not across days. */
  readonly days: string | undefined;
  /** Conditions that select timelines, on columns that events also have. */
  private readonly scoped: readonly string[];
  /** Conditions that select events `e` of these timelines; may use the timeline `t`. */
  private readonly narrowing: readonly string[];

  /** @param byTimeline whether to find the last event of one timeline after the other, which is faster if many events match */
  constructor(scope: ListScope, { period, period_end, token, entity_id, modified_since }: EventFilters, byTimeline = false) {
    const bind: BindValue = (value) => `$${this.values.push(value)}`;
    this.scoped = [
      `tenant = ${bind(scope.tenant)}`,
      `namespace_id = ${bind(scope.namespaceId)}`,
      ...(entity_id === undefined ? [] : [`entity_id = ${bind(entity_id)}`, `shard_key = ${bind(shardKeyOf(entity_id))}`]),
    ];
    const [first, last] = period === undefined ? [] : boundDays(bind, period, period_end);
    this.narrowing = [
      ...(first === undefined
        ? []
        : last === undefined
          ? [`e.event_date = ${first}`]
          : [`e.event_date >= ${first}`, `e.event_date <= ${last}`]),
      ...(token === undefined ? [] : TOKEN_CONDITIONS[token](bind, scope)),
      ...(byTimeline && modified_since !== undefined ? [`e.modified_at >= ${bind(modified_since.utc)}::timestamptz`] : []),
    ];
    const isFew = last === undefined || Date.parse(period_end!) - Date.parse(period!) < MAX_DAYS_ONE_BY_ONE * DAY_MS;
    this.days =
      last === undefined || !isFew ? undefined : `(select d::date as day from generate_series(${first}, ${last}, interval '1 day') d) day`;
    this.isSelective = !byTimeline && (period !== undefined || token === 'fresh' || modified_since !== undefined);
    // Repeats the scope for both tables; otherwise Citus would query every shard for the timeline of a single entity.
    const from = token === 'completed' ? `event e join timeline t on ${OF_TIMELINE} and ${this.inScope('t')}` : 'event e';
    const parts = byTimeline || modified_since === undefined ? [[]] : modifiedSince(bind, modified_since);
    this.parts = parts.map((part) => `from ${from} where ${[this.inScope('e'), ...part, ...this.narrowing].join(' and ')}`);
  }

  /** Whether there is no filter besides the entity, so that either all events of a timeline match or none do. */
  get passAll(): boolean {
    return this.narrowing.length === 0 && !this.isSelective;
  }

  /** The `from` and `where` clauses for the matching events of one timeline `t`. */
  get eventsOfTimeline(): string {
    // Repeats the timeline's scope for `e`, for the same reason as in the constructor.
    return `from event e where ${[OF_TIMELINE, this.inScope('e'), ...this.narrowing].join(' and ')}`;
  }

  /** Condition on rows of either table: tenant, namespace, and optionally the entity. */
  inScope(alias: 'e' | 't'): string {
    return this.scoped.map((condition) => `${alias}.${condition}`).join(' and ');
  }
}
