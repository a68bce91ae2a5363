import type { ChangesQuery } from '@fibre/changes';
import { jsonObjectText, type Listing, timestampText } from '@fibre/database';
import { EVENT_JSON } from '../events/event.sql.js';
import { shardKeyOf } from '../timeline/event-id.js';
import { EVENT_TYPES } from '../timeline/timeline.js';
import type { EventChangesQuery } from './event-changes.requests.js';

/** Filters of events. */
export type EventChangeFilters = Omit<EventChangesQuery, keyof ChangesQuery>;

const CHANGE_JSON = jsonObjectText([
  { name: 'change', sql: `case when e.overwritten then 'overwritten' else 'created' end`, as: 'plain' },
  { name: 'changed_at', sql: timestampText('e.modified_at'), as: 'plain' },
  { name: 'event', sql: EVENT_JSON, as: 'json' },
]);

/** Events that were created or last overwritten before an instant, ordered by that time. */
export function eventChanges(
  { tenant, namespaceId }: { readonly tenant: string; readonly namespaceId: string },
  { entity_id, event_type }: EventChangeFilters,
  settled: Date,
): Listing {
  const values: unknown[] = [];
  const equals = (column: string, value: unknown): string => `e.${column} = $${values.push(value)}`;
  const scope = [
    equals('tenant', tenant),
    equals('namespace_id', namespaceId),
    ...(entity_id === undefined ? [] : [equals('entity_id', entity_id), equals('shard_key', shardKeyOf(entity_id))]),
    `e.modified_at < $${values.push(settled)}::timestamptz`,
  ];
  const order = 'order by e.modified_at, e.event_id';
  // The index orders the events within each type, so the types are read separately and merged into the page. One entity has so few events
  // that this is not needed.
  const types = event_type === undefined && entity_id === undefined ? EVENT_TYPES : [event_type];
  return {
    label: 'event-changes',
    values,
    records: ({ from, time, limit }) => {
      const pages = types.map((type) => {
        const where = [
          ...scope,
          ...(type === undefined ? [] : [`e.event_type = '${type}'`]),
          `(e.modified_at, e.event_id) >= (${time}, ${from})`,
        ];
        return `(select e.* from event e where ${where.join(' and ')} ${order} limit ${limit})`;
      });
      return pages.length === 1 ? pages[0]! : `select e.* from (${pages.join(' union all ')}) e ${order} limit ${limit}`;
    },
    rows: '',
    time: 'modified_at',
    key: 'event_id',
    alias: 'e',
    json: CHANGE_JSON,
  };
}
