import type { FileFormat } from './file-formats.js';
import { geoJsonRows } from './geojson-rows.js';
import { ndjsonRows } from './ndjson-rows.js';
import type { SentRow } from './sent-row.js';
import { type TableRules, tableRows } from './table-rows.js';
import { textOf } from './text.js';
import { unquotedText } from './quoted-text.js';

type Reader = (pieces: AsyncGenerator<string>, rules: TableRules) => AsyncGenerator<SentRow>;

const READERS: Readonly<Record<FileFormat, Reader>> = {
  csv: tableRows,
  tsv: (pieces, rules) => tableRows(pieces, { ...rules, separator: '\t' }),
  ndjson: ndjsonRows,
  geojson: geoJsonRows,
};

/**
 * Reads the rows of a file while its bytes arrive.
 *
 * @param signal aborts reading; its reason is thrown
 * @throws Problem 400, RefusedFile
 */
export const fileRows = (
  format: FileFormat,
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal,
  rules: TableRules,
): AsyncGenerator<SentRow> => READERS[format](unquotedText(textOf(bytes, signal, rules.onMark)), rules);
