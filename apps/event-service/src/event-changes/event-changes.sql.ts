import type { ChangesQuery } from '@fibre/changes';
import { given, join, jsonObjectText, type Listing, raw, sql, timestampText } from '@fibre/database';
import { EVENT_JSON } from '../events/event-json.sql.js';
import { inScope } from '../timeline/timeline.sql.js';
import { EVENT_TYPES, type Scope } from '../timeline/timeline.js';
import type { EventChangesQuery } from './event-changes.requests.js';

/** Filters of events. */
export type EventChangeFilters = Omit<EventChangesQuery, keyof ChangesQuery>;

const CHANGE_JSON = jsonObjectText([
  { name: 'change', sql: `case when e.overwritten then 'overwritten' else 'created' end`, as: 'plain' },
  { name: 'changed_at', sql: timestampText('e.modified_at'), as: 'plain' },
  { name: 'event', sql: EVENT_JSON, as: 'json' },
]);

/** Events that were created or last overwritten before an instant, ordered by that time. */
export function eventChanges(scope: Scope, { entity_id, event_type }: EventChangeFilters, settled: Date): Listing {
  const events = sql`event e where ${inScope({ ...scope, entityId: entity_id })('e')} and e.modified_at < ${settled}::timestamptz`;
  const order = sql`order by e.modified_at, e.event_id`;
  // The index orders the events within each type, so the types are read separately and merged into the page. One entity has so few events
  // that this is not needed.
  const types = event_type === undefined && entity_id === undefined ? EVENT_TYPES : [event_type];
  return {
    label: 'event-changes',
    records: ({ from: [time, id], limit }) => {
      const pages = types.map((type) => {
        const ofType = given(type, (name) => sql` and e.event_type = '${raw(name)}'`);
        return sql`(select e.* from ${events}${ofType} and (e.modified_at, e.event_id) >= (${time}, ${id}) ${order} limit ${limit})`;
      });
      return pages.length === 1 ? pages[0]! : sql`select e.* from (${join(pages, ' union all ')}) e ${order} limit ${limit}`;
    },
    rows: sql``,
    order: [
      { column: 'modified_at', type: 'timestamptz' },
      { column: 'event_id', type: 'uuid' },
    ],
    alias: 'e',
    json: CHANGE_JSON,
  };
}
