import { EnumField } from '@fibre/dto';
import { NodeFilters } from '../access-nodes/access-node.requests.js';
import { EXPORT_FORMATS, type ExportFormat } from './node-export.formats.js';

export class ExportQuery extends NodeFilters {
  @EnumField(EXPORT_FORMATS, { description: 'Format of the file.', presence: 'if-present', default: 'csv' })
  format: ExportFormat = 'csv';
}
