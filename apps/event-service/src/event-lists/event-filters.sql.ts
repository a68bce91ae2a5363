import type { Timestamp } from '@fibre/dto';
import { leastIdAt, shardKeyOf } from '../timeline/event-id.js';
import { sameTimeline } from '../timeline/timeline.sql.js';

/** Values of the filter `token` (docs/adr/0009): three predicates that have nothing to do with each other. */
export const EVENT_TOKENS = ['fresh', 'untouched', 'completed'] as const;
export type EventToken = (typeof EVENT_TOKENS)[number];

/** Filters of a listing; absent ones do not narrow it. */
export interface EventFilters {
  readonly period?: string;
  readonly period_end?: string;
  readonly token?: EventToken;
  readonly entity_id?: string;
  readonly modified_since?: Timestamp;
}

/** Whose events, and as of when. */
export interface ListScope {
  readonly tenant: string;
  readonly namespaceId: string;
  readonly now: Date;
  /** Hours after its creation that an event counts as fresh. */
  readonly freshHours: number;
}

/** Binds a value and gives its place in the statement. */
export type BindValue = (value: unknown) => string;

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Days of a period that are looked into one by one: each costs as many entries of an index as the page has records. */
const MAX_DAYS_ONE_BY_ONE = 366;

const TOKEN_CONDITIONS: Readonly<Record<EventToken, (bind: BindValue, scope: ListScope) => string[]>> = {
  // The id says it too, up to some milliseconds, and there is an index on that.
  fresh: (bind, { now, freshHours }) => {
    const since = new Date(now.getTime() - freshHours * HOUR_MS);
    return [`e.created_at >= ${bind(since)}::timestamptz`, `e.event_id >= ${bind(leastIdAt(since.getTime()))}::uuid`];
  },
  untouched: () => ['not e.overwritten'],
  // Of the timeline `t` that the event stands in: some deactivation is at or after an event exactly when the last one is.
  completed: (bind, { now }) => [
    `e.event_at <= case e.event_type when 'notification' then ${bind(now)}::timestamptz else t.deactivated_at end`,
  ],
};

/**
 * Conditions on the events created or overwritten since some time, in two parts, each with an index: ids tell the first, up
 * to some milliseconds, and an event older than that has been overwritten. One condition would make PostgreSQL walk
 * through the ids past every older event.
 */
function modifiedSince(bind: BindValue, { instant, utc }: Timestamp): string[][] {
  const since = `e.modified_at >= ${bind(utc)}::timestamptz`;
  const least = `${bind(leastIdAt(instant.epochMilliseconds))}::uuid`;
  return [
    [`e.event_id >= ${least}`, since],
    [`e.event_id < ${least}`, since, 'e.overwritten'],
  ];
}

/** The first day of a period and, unless that is the only one, the last. */
const boundDays = (bind: BindValue, period: string, end = period): string[] =>
  [period, ...(end === period ? [] : [end])].map((day) => `${bind(day)}::date`);

/** That an event `e` stands in a timeline `t`. */
const OF_TIMELINE = sameTimeline('e', 't');

/** The filters of one statement and the values it binds: only filters that are there take part, so each set has its own plan. */
export class EventConditions {
  readonly values: unknown[] = [];
  /** `from` and `where` of the events `e` that pass, in parts that have none in common. */
  readonly parts: readonly string[];
  /** Whether an index finds the events themselves, so that they are better found first. */
  readonly isSelective: boolean;
  /** Rows of `day`, those of a period: each has its events in order of their ids in an index, which all together have not. */
  readonly days: string | undefined;
  /** Which timelines: conditions on columns that events have too. */
  private readonly scoped: readonly string[];
  /** Which of their events `e`; may refer to the timeline `t`. */
  private readonly narrowing: readonly string[];

  /** @param byTimeline whether so many events pass that timeline by timeline is the faster way to the last of each */
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
    // The scope of both, or Citus would ask every shard for the timeline of the one entity that is asked for.
    const from = token === 'completed' ? `event e join timeline t on ${OF_TIMELINE} and ${this.inScope('t')}` : 'event e';
    const parts = byTimeline || modified_since === undefined ? [[]] : modifiedSince(bind, modified_since);
    this.parts = parts.map((part) => `from ${from} where ${[this.inScope('e'), ...part, ...this.narrowing].join(' and ')}`);
  }

  /** Whether there is no filter but the entity, so that every event of a timeline passes or none. */
  get passAll(): boolean {
    return this.narrowing.length === 0 && !this.isSelective;
  }

  /** `from` and `where` of the events that pass of one timeline `t`, where they are not found first. */
  get eventsOfTimeline(): string {
    // The scope of both, as above.
    return `from event e where ${[OF_TIMELINE, this.inScope('e'), ...this.narrowing].join(' and ')}`;
  }

  /** Condition on rows of either table: tenant, namespace, and perhaps entity. */
  inScope(alias: 'e' | 't'): string {
    return this.scoped.map((condition) => `${alias}.${condition}`).join(' and ');
  }
}
