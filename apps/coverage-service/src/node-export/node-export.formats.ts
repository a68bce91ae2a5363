import type { Transform } from 'node:stream';
import { CsvRecords } from '@fibre/server';
import { geoJson, ndjson } from './json-lines.js';

/** How a file is written: what PostgreSQL writes, and what is made of it. */
interface Format {
  readonly mediaType: string;
  /** Of COPY. */
  readonly options: string;
  readonly through: () => Transform[];
}

export const EXPORT_FORMATS = ['csv', 'tsv', 'ndjson', 'geojson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', options: 'format csv, header', through: () => [new CsvRecords()] },
  tsv: { mediaType: 'text/tab-separated-values; charset=utf-8', options: `format csv, header, delimiter E'\\t'`, through: () => [] },
  ndjson: { mediaType: 'application/x-ndjson', options: 'format text', through: () => [ndjson()] },
  geojson: { mediaType: 'application/geo+json', options: 'format text', through: () => [geoJson()] },
};
