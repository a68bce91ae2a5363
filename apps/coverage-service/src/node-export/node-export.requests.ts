import { EnumField, TextField } from '@fibre/dto';
import { PickType } from '@nestjs/swagger';
import type { Offer } from '../access-nodes/access-node.js';
import { NodeFilters, OfferField } from '../access-nodes/access-node-filters.requests.js';
import { FILE_FORMATS, type FileFormat } from '../files/file-formats.js';

const FormatField = (): PropertyDecorator =>
  EnumField(FILE_FORMATS, { description: 'Format of the file.', presence: 'if-present', default: 'csv' });

export class ExportQuery extends NodeFilters {
  @FormatField()
  format: FileFormat = 'csv';
}

export class SearchExportQuery extends PickType(NodeFilters, ['relation_id', 'token', 'technology', 'status', 'connected']) {
  @FormatField()
  format: FileFormat = 'csv';

  @OfferField()
  offer?: Offer;

  @TextField(1, 255, { description: 'Only nodes of this operator.', presence: 'if-present' })
  tenant?: string;
}
