import { geoJsonRows } from './geojson-rows.js';
import { ndjsonRows } from './ndjson-rows.js';
import type { SentRow } from './sent-row.js';
import { type TableRules, tableRows } from './table-rows.js';
import { textOf } from './text.js';

type Reader = (pieces: AsyncGenerator<string>, rules: TableRules) => AsyncGenerator<SentRow>;

/** Readers by media type. */
const READERS = {
  'text/csv': tableRows,
  'text/tab-separated-values': (pieces, rules) => tableRows(pieces, { ...rules, separator: '\t' }),
  'application/x-ndjson': ndjsonRows,
  'application/geo+json': geoJsonRows,
} as const satisfies Record<string, Reader>;

/** Media types of the files that can be read. */
export const FILE_TYPES = Object.keys(READERS) as (keyof typeof READERS)[];

/**
 * Reads the rows of a file while its bytes arrive.
 *
 * @param signal aborts reading; its reason is thrown
 * @throws UnreadableFile, RefusedFile
 */
export const fileRows = (
  mediaType: string,
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal,
  rules: TableRules,
): AsyncGenerator<SentRow> => READERS[mediaType as keyof typeof READERS](textOf(bytes, signal, rules.onMark), rules);
