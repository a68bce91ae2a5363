import { EnumField } from '@fibre/dto';
import { NodeFilters } from '../access-nodes/access-node.requests.js';
import { FILE_FORMATS, type FileFormat } from '../files/file-formats.js';

export class ExportQuery extends NodeFilters {
  @EnumField(FILE_FORMATS, { description: 'Format of the file.', presence: 'if-present', default: 'csv' })
  format: FileFormat = 'csv';
}
