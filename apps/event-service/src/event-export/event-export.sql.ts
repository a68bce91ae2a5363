import type { Statement } from '@fibre/database';
import { EventConditions, type EventFilters, type ListScope } from '../event-lists/event-filters.sql.js';
import { EVENT_JSON, EVENT_MEMBERS } from '../events/event.sql.js';

/** Columns of a table, one per member of an event, or a single column with its JSON. */
export type ExportedAs = 'columns' | 'json';

const COLUMNS = EVENT_MEMBERS.map(({ name, sql }) => `${sql} as ${name}`).join(', ');

/** The events of the listing with these filters, in its order. */
export function exportEvents(exportedAs: ExportedAs, scope: ListScope, filters: EventFilters): Statement {
  const { parts, values } = new EventConditions(scope, filters);
  const events = parts.map((part) => `select e.* ${part}`).join(' union all ');
  const select = exportedAs === 'columns' ? COLUMNS : EVENT_JSON;
  return { name: `event-export-${exportedAs}`, text: `select ${select} from (${events}) e order by e.event_id`, values };
}
