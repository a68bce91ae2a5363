import { EnumField } from '@fibre/dto';
import { LimitParameter, SearchTerms } from '../coverage-search/coverage-search.requests.js';
import { EXPORT_FORMATS, type ExportFormat } from '../node-export/node-export.formats.js';

export class PlaceSearchQuery extends SearchTerms {
  @LimitParameter(1)
  limit: number = 1;

  @EnumField(EXPORT_FORMATS, { description: 'Format of the response; defaults to that of the request.', presence: 'if-present' })
  format?: ExportFormat;
}
