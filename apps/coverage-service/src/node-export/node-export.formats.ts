import { crlfRecords, type StreamedFile } from '@fibre/server';

export const EXPORT_FORMATS = ['csv', 'tsv', 'ndjson', 'geojson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A file format: what PostgreSQL writes of each node, and how that is converted. */
export interface Format extends Omit<StreamedFile, 'name'> {
  readonly record: 'columns' | 'json' | 'feature';
  /** Options of COPY. */
  readonly options: string;
}

/** JSON text contains neither of these two characters, so COPY quotes nothing. */
const JSON_LINES = `format csv, quote E'\\x01', delimiter E'\\x02'`;

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', record: 'columns', options: 'format csv, header', through: crlfRecords },
  tsv: { mediaType: 'text/tab-separated-values; charset=utf-8', record: 'columns', options: `format csv, header, delimiter E'\\t'` },
  ndjson: { mediaType: 'application/x-ndjson', record: 'json', options: JSON_LINES },
  geojson: { mediaType: 'application/geo+json', record: 'feature', options: JSON_LINES, through: featureCollection },
};

/** PostgreSQL writes a comma before each feature, which the first must not have. */
async function* featureCollection(features: AsyncIterable<Buffer>): AsyncGenerator<Buffer | string> {
  yield '{"type":"FeatureCollection","features":[\n';
  let isFirst = true;
  for await (const chunk of features) {
    yield isFirst ? chunk.subarray(1) : chunk;
    isFirst = false;
  }
  yield ']}\n';
}
