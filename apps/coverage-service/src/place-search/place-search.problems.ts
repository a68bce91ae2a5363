import { invalidRequest, Problem } from '@fibre/problems';
import { fileProblem } from '../files/sent-row.js';

export const needsTable = (): Problem =>
  invalidRequest([{ parameter: 'format', detail: 'must be ndjson or geojson, because the file is not a table' }]);

export const tooManyRows = (most: number): Problem =>
  new Problem(413, 'payload-too-large', 'The body is too large', {
    detail: `The file has more than ${most} rows; the rest were not searched.`,
    hint: 'Send the file in parts.',
  });

/** Turns an error in a search into a problem. */
export const placeSearchProblem = (error: unknown): unknown =>
  fileProblem(error, (options) => new Problem(422, 'file-refused', 'The file is rejected', options));
