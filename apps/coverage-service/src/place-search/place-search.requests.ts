import { EnumField } from '@fibre/dto';
import { LimitParameter, SearchTerms } from '../coverage-search/coverage-search.requests.js';
import { FILE_FORMATS, type FileFormat } from '../files/file-formats.js';

export class PlaceSearchQuery extends SearchTerms {
  @LimitParameter(1)
  limit: number = 1;

  @EnumField(FILE_FORMATS, { description: 'Format of the response; defaults to that of the request.', presence: 'if-present' })
  format?: FileFormat;
}
