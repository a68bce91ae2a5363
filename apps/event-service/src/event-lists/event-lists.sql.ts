import { type Listing, pageBy, raw, type RecordsPlace, type Sql, sql, type Statement, statement } from '@fibre/database';
import type { ExportFormat } from './event-lists.requests.js';
import { EVENT_JSON, EVENT_MEMBERS } from '../events/event.sql.js';
import { conditionsOf, type EventConditions, type EventFilters, type ListScope } from './event-filters.sql.js';

/** `events`: every event, ordered by id. `latest`: the most recently created event of each entity, ordered by entity. */
export type EventListName = 'events' | 'latest';

/** What is known about the tables and the matching events. */
export interface EventListing {
  /** Whether the tables are distributed. */
  readonly onCluster?: boolean;
  /** Whether so many events match that the latest are found timeline by timeline. */
  readonly byTimeline?: boolean;
}

/** A listing of events. */
export function eventListing(
  name: EventListName,
  scope: ListScope,
  filters: EventFilters,
  { onCluster = false, byTimeline }: EventListing = {},
): Listing {
  const conditions = conditionsOf(scope, filters);
  // The events of one entity are on one server.
  const isDistributed = onCluster && filters.entity_id === undefined;
  return {
    label: `event-lists-${name}`,
    alias: 'e',
    json: EVENT_JSON,
    ...(name === 'events'
      ? {
          order: [{ column: 'event_id', type: 'uuid' }],
          records: (place) => (isDistributed ? selectEventsOfServers : selectEventsOfServer)(conditions, place),
          rows: sql`select 1 ${conditions.matching}`,
        }
      : {
          order: [{ column: 'entity_id', type: 'uuid' }],
          ...(conditions.isSelective && !byTimeline ? latestOfFound(conditions, isDistributed) : latestByTimeline(conditions)),
        }),
  };
}

const selectEvents = ({ matching }: EventConditions, place: RecordsPlace): Sql =>
  sql`select e.* ${matching} ${pageBy('e.event_id', place)}`;

/**
 * The index orders the events within each day, so this reads as many ids from each day as the page needs, and keeps the first ones.
 * Otherwise, PostgreSQL may walk through the ids of all events before the period, or after it.
 */
function selectEventsOfServer(conditions: EventConditions, place: RecordsPlace): Sql {
  const { days, matching } = conditions;
  if (days === undefined) return selectEvents(conditions, place);
  const page = pageBy('e.event_id', place);
  const onPage = (id: string): Sql => pageBy(id, { ...place, from: [] });
  const ids = sql`
    select i.event_id from ${days} cross join lateral (select e.event_id ${matching} and e.event_date = day.day ${page}) i ${onPage('i.event_id')}`;
  return sql`select e.* from event e where ${conditions.isOf('e')} and e.event_id in (${ids}) ${onPage('e.event_id')}`;
}

/**
 * The servers of a cluster first send only ids, and then the events up to the last id of the page. Otherwise, each server would send a
 * whole page of events, most of which would be discarded. This is only done if the set of matching events cannot change in between, because
 * a page that lacks an event would look like the last page.
 */
function selectEventsOfServers(conditions: EventConditions, place: RecordsPlace): Sql {
  if (!conditions.passAll) return selectEvents(conditions, place);
  const events = sql`from event e where ${conditions.isOf('e')}`;
  const [backwards, toLast] = place.order === 'asc' ? (['desc', '<='] as const) : (['asc', '>='] as const);
  const ids = sql`select e.event_id ${events} ${pageBy('e.event_id', place)}`;
  const last = sql`select i.event_id from (${ids}) i order by i.event_id ${raw(backwards)} limit 1`;
  return sql`select e.* ${events} and e.event_id ${raw(toLast)} (${last}) ${pageBy('e.event_id', place)}`;
}

/** The events of a listing, and one row for each of them. */
type Selected = Pick<Listing, 'records' | 'rows'>;

/**
 * Groups the matching events, which the indexes for the filters find first. Otherwise, because a page needs few of them, PostgreSQL would
 * scan all entities in order until it has enough. On a cluster, each server has only its share of the entities, and Citus does not accept
 * the hint `offset 0`.
 */
function latestOfFound({ matching }: EventConditions, isDistributed: boolean): Selected {
  const found = (select: Sql): Sql => sql`${select} ${matching}${isDistributed ? undefined : sql` offset 0`}`;
  return {
    records: ({ from: [first], limit }) => sql`
  select distinct on (e.entity_id) e.* from (${found(sql`select e.*`)}) e
  ${first && sql`where e.entity_id >= ${first}`}
  order by e.entity_id, e.sequence desc limit ${limit}`,
    rows: sql`select distinct e.entity_id from (${found(sql`select e.entity_id`)}) e`,
  };
}

/**
 * Reads one timeline after the other, each backwards from its last event, so the cost of a page depends only on its length.
 *
 * Without filters, the last event is the one whose sequence is the timeline's version. The statement searches for that sequence, because a
 * scan for the highest one reads all of the entity's entries on the index page.
 */
function latestByTimeline({ eventsOfTimeline, isOf, passAll }: EventConditions): Selected {
  const last = passAll ? sql`and e.sequence = t.version limit 1` : sql`order by e.sequence desc limit 1`;
  const scope = sql`where ${isOf('t')}`;
  return {
    records: (place) => sql`
  select e.* from timeline t cross join lateral (select e.* ${eventsOfTimeline} ${last}) e
  ${scope} ${pageBy('t.entity_id', place)}`,
    // Not `exists`, because PostgreSQL may join all events before it counts the first entity.
    rows: passAll
      ? sql`select 1 from timeline t ${scope}`
      : sql`select 1 from timeline t cross join lateral (select 1 ${eventsOfTimeline} limit 1) e ${scope}`,
  };
}

const EXPORTED = { csv: EVENT_MEMBERS.map((member) => `${member.sql} as ${member.name}`).join(', '), ndjson: EVENT_JSON };

/** All matching events, for COPY: as columns, or as a single column of JSON. */
export function exportEvents(format: ExportFormat, scope: ListScope, filters: EventFilters): Statement {
  return statement(
    `event-lists-export-${format}`,
  )`select ${raw(EXPORTED[format])} ${conditionsOf(scope, filters).matching} order by e.event_id`;
}
