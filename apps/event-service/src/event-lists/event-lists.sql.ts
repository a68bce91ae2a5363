import type { Listing } from '@fibre/database';
import { EVENT_MEMBERS } from '../events/event.response.js';
import { EventConditions, type EventFilters, type ListScope } from './event-filters.sql.js';

/** Every event by id, or of each entity the one created last, by entity. */
export type EventListName = 'events' | 'latest';

/** A listing of events. */
export function eventListing(name: EventListName, scope: ListScope, filters: EventFilters): Listing {
  const conditions = new EventConditions(scope, filters);
  const { values } = conditions;
  const common = { label: `event-lists-${name}`, values, alias: 'e', members: EVENT_MEMBERS };
  return name === 'events'
    ? { ...common, key: 'event_id', records: (from) => selectEvents(conditions, from), rows: `select ${conditions.events}` }
    : {
        ...common,
        key: 'entity_id',
        records: (from) => selectLatest(conditions, from),
        rows: `select from timeline t where ${conditions.timelines}`,
      };
}

const selectEvents = (conditions: EventConditions, from: string | undefined): string => `
  select e.* ${conditions.events} ${from === undefined ? '' : `and e.event_id >= ${from}`}
  order by e.event_id`;

/**
 * The filters first, then the event created last. Where no index serves the filters, timeline by timeline from its last
 * event back, so that a page costs what it is long, however many events there are. Otherwise from the events found.
 *
 * Without filters the last event is the one that brought the timeline to its version. Asking for it by that, and not for
 * the highest sequence, matters: a scan for the highest reads all entries of the entity on the index page.
 */
function selectLatest(conditions: EventConditions, from: string | undefined): string {
  if (conditions.isSelective) {
    return `
  select distinct on (e.entity_id) e.* ${conditions.events} ${from === undefined ? '' : `and e.entity_id >= ${from}`}
  order by e.entity_id, e.sequence desc`;
  }
  const last = conditions.passAll ? 'and e.sequence = t.version limit 1' : 'order by e.sequence desc limit 1';
  return `
  select e.* from timeline t cross join lateral (select e.* ${conditions.eventsOfTimeline} ${last}) e
  where ${conditions.inScope('t')} ${from === undefined ? '' : `and t.entity_id >= ${from}`}
  order by t.entity_id`;
}
