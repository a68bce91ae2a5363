import { createHash } from 'node:crypto';
import type { Statement } from '@fibre/database';
import type { PageRequest } from '@fibre/pagination';
import { EVENT_JSON } from '../events/event.response.js';
import { EventConditions, type EventFilters, type ListScope } from './event-filters.sql.js';

/** Above this many the total of a listing is an estimate, so that no page pays for the size of the table. */
export const MAX_EXACT_TOTAL = 100_000;

/** What a listing lists: every event by id, or of each entity the one created last, by entity. */
export type Listing = 'events' | 'latest';

/** A name for a text that is put together: one text, one name. */
const named = (label: string, text: string, values: unknown[]): Statement => ({
  name: `${label}-${createHash('sha1').update(text).digest('hex').slice(0, 12)}`,
  text,
  values,
});

/** One page of a listing: `json` (array as text) and `next_id`. */
export function selectPage(listing: Listing, scope: ListScope, filters: EventFilters, page: PageRequest): Statement {
  const conditions = new EventConditions(scope, filters);
  const size = `${conditions.bind(page.size)}::int`;
  const from = page.from === undefined ? undefined : `${conditions.bind(page.from)}::uuid`;
  const [rows, key] = listing === 'events' ? [eventRows(conditions, from), 'event_id'] : [latestRows(conditions, from), 'entity_id'];
  const text = `
    with page as materialized (${rows} limit ${size} + 1)
    select
      '[' || coalesce((
        select string_agg(${EVENT_JSON}, ',' order by e.${key})
        from (select p.* from page p order by p.${key} limit ${size}) e
      ), '') || ']' as json,
      (select p.${key} from page p order by p.${key} offset ${size} limit 1) as next_id`;
  return named(`event-lists-${listing}`, text, conditions.values);
}

const eventRows = (conditions: EventConditions, from: string | undefined): string => `
  select e.* ${conditions.events} ${from === undefined ? '' : `and e.event_id >= ${from}`}
  order by e.event_id`;

/**
 * The filters first, then the event created last. Where no index serves the filters, timeline by timeline from its last
 * event back, so that a page costs what it is long, however many events there are. Otherwise from the events found.
 *
 * Without filters the last event is the one that brought the timeline to its version. Asking for it by that, and not for
 * the highest sequence, matters: a scan for the highest reads all entries of the entity on the index page.
 */
function latestRows(conditions: EventConditions, from: string | undefined): string {
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

/** What the pages of a listing go through, as rows without columns. */
const listed = (listing: Listing, conditions: EventConditions): string =>
  listing === 'events' ? `select ${conditions.events}` : `select from timeline t where ${conditions.timelines}`;

/** Counts a listing up to one more than {@link MAX_EXACT_TOTAL}: `total`. */
export function countListing(listing: Listing, scope: ListScope, filters: EventFilters): Statement {
  const conditions = new EventConditions(scope, filters);
  const text = `select count(*)::int as total from (${listed(listing, conditions)} limit ${MAX_EXACT_TOTAL} + 1) counted`;
  return named(`event-lists-${listing}-count`, text, conditions.values);
}

/** What the planner thinks a listing has: `QUERY PLAN`. */
export function estimateListing(listing: Listing, scope: ListScope, filters: EventFilters): Statement {
  const conditions = new EventConditions(scope, filters);
  return named(`event-lists-${listing}-estimate`, `explain (format json) ${listed(listing, conditions)}`, conditions.values);
}
