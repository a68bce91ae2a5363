import { COPY_FORMATS, type CopyFormat } from '@fibre/server';

export const EXPORT_FORMATS = ['csv', 'tsv', 'ndjson', 'geojson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A file format, and what PostgreSQL writes for each node. */
export interface Format extends CopyFormat {
  readonly record: 'columns' | 'json' | 'feature';
}

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: { ...COPY_FORMATS.csv, record: 'columns' },
  tsv: { ...COPY_FORMATS.tsv, record: 'columns' },
  ndjson: { ...COPY_FORMATS.ndjson, record: 'json' },
  geojson: { ...COPY_FORMATS.ndjson, mediaType: 'application/geo+json', record: 'feature', through: featureCollection },
};

/** PostgreSQL writes a comma before each feature; there must be none before the first. */
async function* featureCollection(features: AsyncIterable<Buffer>): AsyncGenerator<Buffer | string> {
  yield '{"type":"FeatureCollection","features":[\n';
  let isFirst = true;
  for await (const chunk of features) {
    yield isFirst ? chunk.subarray(1) : chunk;
    isFirst = false;
  }
  yield ']}\n';
}
