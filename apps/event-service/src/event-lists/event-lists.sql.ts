import type { Listing, RecordsPlace } from '@fibre/database';
import { EVENT_MEMBERS } from '../events/event.sql.js';
import { EventConditions, type EventFilters, type ListScope } from './event-filters.sql.js';

/** Every event by id, or of each entity the one created last, by entity. */
export type EventListName = 'events' | 'latest';

/** How the tables are, and what is known of the events that pass. */
export interface EventListing {
  /** Whether the tables are distributed. */
  readonly onCluster?: boolean;
  /** Whether so many events pass that the latest are found timeline by timeline. */
  readonly byTimeline?: boolean;
}

/** A listing of events. */
export function eventListing(
  name: EventListName,
  scope: ListScope,
  filters: EventFilters,
  { onCluster = false, byTimeline }: EventListing = {},
): Listing {
  const conditions = new EventConditions(scope, filters, byTimeline);
  // The events of one entity are on one server.
  const isDistributed = onCluster && filters.entity_id === undefined;
  return {
    label: `event-lists-${name}`,
    values: conditions.values,
    alias: 'e',
    members: EVENT_MEMBERS,
    isDistributed,
    ...(name === 'events'
      ? {
          key: 'event_id',
          records: (place) => (isDistributed ? selectEventsOfServers : selectEventsOfServer)(conditions, place),
          rows: all('select 1', conditions.parts),
        }
      : {
          key: 'entity_id',
          records: (place) => selectLatest(conditions, isDistributed, place),
          rows: selectEntities(conditions, isDistributed),
        }),
  };
}

const all = (select: string, parts: readonly string[]): string => parts.map((part) => `${select} ${part}`).join(' union all ');

/** Every part brings a page of its own, in order by its index; the first of all these make the page. */
function selectEvents({ parts }: EventConditions, { from, limit }: RecordsPlace): string {
  const page = `${from === undefined ? '' : `and e.event_id >= ${from}`} order by e.event_id limit ${limit}`;
  const pages = parts.map((part) => `(select e.* ${part} ${page})`);
  return pages.length === 1 ? pages[0]! : `select e.* from (${pages.join(' union all ')}) e order by e.event_id limit ${limit}`;
}

/**
 * A period has its days in an index, and each of them its events in order: as many ids of every day, of which the first make the page. Otherwise PostgreSQL
 * may walk through the ids of all events before the period.
 */
function selectEventsOfServer(conditions: EventConditions, place: RecordsPlace): string {
  const { days, parts } = conditions;
  if (days === undefined) return selectEvents(conditions, place);
  const page = `${place.from === undefined ? '' : `and e.event_id >= ${place.from}`} order by e.event_id limit ${place.limit}`;
  const ids = parts.map(
    (part) => `select i.event_id from ${days} cross join lateral (select e.event_id ${part} and e.event_date = day.day ${page}) i`,
  );
  const first = `select i.event_id from (${ids.join(' union all ')}) i order by i.event_id limit ${place.limit}`;
  return `select e.* from event e where ${conditions.inScope('e')} and e.event_id in (${first}) order by e.event_id limit ${place.limit}`;
}

/**
 * Every server would send a whole page, of which most is not needed. So they send ids, and then the events up to the last
 * of these. Only where nobody can change which events pass: one fewer than there were ids would look like the last page.
 */
function selectEventsOfServers(conditions: EventConditions, place: RecordsPlace): string {
  if (!conditions.passAll) return selectEvents(conditions, place);
  const events = `from event e where ${conditions.inScope('e')} ${place.from === undefined ? '' : `and e.event_id >= ${place.from}`}`;
  const ids = `select e.event_id ${events} order by e.event_id limit ${place.limit}`;
  const last = `select i.event_id from (${ids}) i order by i.event_id desc limit 1`;
  return `select e.* ${events} and e.event_id <= (${last}) order by e.event_id limit ${place.limit}`;
}

/**
 * The filters first, then the event created last. Where no index serves the filters, timeline by timeline from its last
 * event back, so that a page costs what it is long, however many events there are. Otherwise from the events found.
 *
 * Without filters the last event is the one that brought the timeline to its version. Asking for it by that, and not for
 * the highest sequence, matters: a scan for the highest reads all entries of the entity on the index page.
 */
function selectLatest(conditions: EventConditions, isDistributed: boolean, { from, limit }: RecordsPlace): string {
  if (conditions.isSelective) {
    return `
  select distinct on (e.entity_id) e.* from (${foundFirst('select e.*', conditions, isDistributed)}) e
  ${from === undefined ? '' : `where e.entity_id >= ${from}`}
  order by e.entity_id, e.sequence desc limit ${limit}`;
  }
  const last = conditions.passAll ? 'and e.sequence = t.version limit 1' : 'order by e.sequence desc limit 1';
  return `
  select e.* from timeline t cross join lateral (select e.* ${conditions.eventsOfTimeline} ${last}) e
  where ${conditions.inScope('t')} ${from === undefined ? '' : `and t.entity_id >= ${from}`}
  order by t.entity_id limit ${limit}`;
}

/**
 * The events that pass, by the indexes of the filters: PostgreSQL, which only sees that a page needs few, would go through all entities
 * in order until it has them. A server of a cluster has only its part of them, and takes no such hint.
 */
const foundFirst = (select: string, { parts }: EventConditions, isDistributed: boolean): string =>
  `${all(select, parts)}${isDistributed ? '' : ' offset 0'}`;

/** A row for each entity that has an event that passes. */
function selectEntities(conditions: EventConditions, isDistributed: boolean): string {
  if (conditions.isSelective) return `select distinct e.entity_id from (${foundFirst('select e.entity_id', conditions, isDistributed)}) e`;
  const scope = `where ${conditions.inScope('t')}`;
  if (conditions.passAll) return `select 1 from timeline t ${scope}`;
  // Not `exists`, for which PostgreSQL may join all events before it counts the first entity.
  return `select 1 from timeline t cross join lateral (select 1 ${conditions.eventsOfTimeline} limit 1) e ${scope}`;
}
