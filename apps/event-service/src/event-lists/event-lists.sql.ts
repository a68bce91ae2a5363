import { jsonObjectText, type Listing, pageBy, raw, type RecordsPlace, type Sql, sql, type Statement, statement } from '@fibre/database';
import type { ExportFormat } from './event-lists.requests.js';
import { EVENT_JSON, EVENT_MEMBERS } from '../events/event-json.sql.js';
import { IN_FORCE, joinInForce, KEPT } from '../timeline/steps.sql.js';
import { subscriptionJson } from '../timeline/subscription.sql.js';
import { inScope, sameTimeline } from '../timeline/timeline.sql.js';
import type { Scope } from '../timeline/timeline.js';
import { conditionsOf, type EventConditions, type EventFilters, type ListScope } from './event-filters.sql.js';

const EVENT_JSON_WITH_SUBSCRIPTION = jsonObjectText([
  ...EVENT_MEMBERS,
  { name: 'subscription', sql: subscriptionJson('e'), as: 'json', optional: true },
]);
/** The values of a subscription; those of an event `r` itself come first. */
const SUBSCRIPTION = raw(KEPT.map((member) => `coalesce(r.sys_attributes ->> '${member}', ${IN_FORCE[member]}) as ${member}`).join(', '));

/** `events`: every event, ordered by id. `latest`: the most recently created event of each entity, ordered by entity. */
export type EventListName = 'events' | 'latest';

/**
 * A listing of events.
 *
 * @param byTimeline whether so many events match that the latest are found timeline by timeline
 */
export function eventListing(name: EventListName, scope: ListScope, filters: EventFilters, byTimeline = false): Listing {
  const conditions = conditionsOf(scope, filters);
  return {
    label: `event-lists-${name}`,
    alias: 'e',
    json: EVENT_JSON,
    ...(name === 'events'
      ? {
          order: [{ column: 'event_id', type: 'uuid' }],
          records: (place) => selectEvents(conditions, place),
          rows: sql`select 1 ${conditions.matching}`,
        }
      : {
          order: [{ column: 'entity_id', type: 'uuid' }],
          ...(conditions.isSelective && !byTimeline ? latestOfFound(conditions) : latestByTimeline(conditions)),
        }),
  };
}

/**
 * The index orders the events within each day, so this reads as many ids from each day as the page needs, and keeps the first ones.
 * Otherwise, PostgreSQL may walk through the ids of all events before the period, or after it.
 */
function selectEvents({ days, matching, isOf }: EventConditions, place: RecordsPlace): Sql {
  if (days === undefined) return sql`select e.* ${matching} ${pageBy('e.event_id', place)}`;
  const page = pageBy('e.event_id', place);
  const onPage = (id: string): Sql => pageBy(id, { ...place, from: [] });
  const ids = sql`
    select i.event_id from ${days} cross join lateral (select e.event_id ${matching} and e.event_date = day.day ${page}) i ${onPage('i.event_id')}`;
  return sql`select e.* from event e where ${isOf('e')} and e.event_id in (${ids}) ${onPage('e.event_id')}`;
}

/** The events of a listing, and one row for each of them. */
type Selected = Pick<Listing, 'records' | 'rows'>;

/**
 * Groups the matching events, which the indexes for the filters find first. Otherwise, because a page needs few of them, PostgreSQL would
 * scan all entities in order until it has enough. On a cluster, each server has only its share of the entities, and Citus does not accept
 * the hint `offset 0`.
 */
function latestOfFound({ matching, isDistributed }: EventConditions): Selected {
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

/**
 * A listing of events that also have their `subscription`. It is read for the events of the page only, which are found by their ids first,
 * because Citus cannot join a page to what belongs to its rows.
 */
export function withSubscription(listing: Listing, scope: Scope): Listing {
  const isOf = inScope(scope);
  const inForce = joinInForce(sql`r.event_at`, sql`${raw(sameTimeline('e', 'r'))} and ${isOf('e')}`);
  return {
    ...listing,
    label: `${listing.label}-with-subscription`,
    json: EVENT_JSON_WITH_SUBSCRIPTION,
    records: (place) => sql`
  select r.*, ${SUBSCRIPTION}
  from event r${inForce}
  where ${isOf('r')} and r.event_id in (select i.event_id from (${listing.records(place)}) i)
  ${pageBy('r.event_id', { ...place, from: [] })}`,
  };
}

const EXPORTED = { csv: EVENT_MEMBERS.map((member) => `${member.sql} as ${member.name}`).join(', '), ndjson: EVENT_JSON };

/** All matching events, for COPY: as columns, or as a single column of JSON. */
export function exportEvents(format: ExportFormat, scope: ListScope, filters: EventFilters): Statement {
  return statement(
    `event-lists-export-${format}`,
  )`select ${raw(EXPORTED[format])} ${conditionsOf(scope, filters).matching} order by e.event_id`;
}
