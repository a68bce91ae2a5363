import { COPY_FORMATS, type CopyFormat, mediaTypeOf } from '@fibre/server';

/** The formats of files of nodes, which are read and written alike. */
export const FILE_FORMATS = ['csv', 'tsv', 'ndjson', 'geojson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A file format, and what PostgreSQL writes for each node. */
export interface Format extends CopyFormat {
  readonly record: 'columns' | 'columns of tabs' | 'json' | 'feature';
}

export const FORMATS: Readonly<Record<FileFormat, Format>> = {
  csv: { ...COPY_FORMATS.csv, record: 'columns' },
  tsv: { ...COPY_FORMATS.tsv, record: 'columns of tabs' },
  ndjson: { ...COPY_FORMATS.ndjson, record: 'json' },
  geojson: { ...COPY_FORMATS.ndjson, mediaType: 'application/geo+json', record: 'feature', through: featureCollection },
};

export const FILE_TYPES = FILE_FORMATS.map((format) => mediaTypeOf(FORMATS[format]));

/** @param mediaType one of {@link FILE_TYPES} */
export const formatOf = (mediaType: string): FileFormat => FILE_FORMATS[FILE_TYPES.indexOf(mediaType)]!;

export const isTable = (format: FileFormat): boolean => format === 'csv' || format === 'tsv';

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
