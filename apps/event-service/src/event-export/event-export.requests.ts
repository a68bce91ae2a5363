import { EnumField } from '@fibre/dto';
import { FilteredEvents } from '../event-lists/event-lists.requests.js';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class ExportEventsQuery extends FilteredEvents(class {}) {
  @EnumField(EXPORT_FORMATS, { description: 'Format of the file.', presence: 'if-present', default: 'csv' })
  format: ExportFormat = 'csv';
}
