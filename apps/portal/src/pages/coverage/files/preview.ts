import type { FileFormat } from '@fibre/client';
import type { parse } from 'csv-parse/browser/esm/sync';

/** Loaded on demand, because most visits to the map do not need a parser. */
const loadParser = async (): Promise<typeof parse> => (await import('csv-parse/browser/esm/sync')).parse;

/** Number of characters read from the start of a file for the preview. */
const HEAD = 65_536;
const SHOWN_ROWS = 5;
/** The browser does not rewrite tables larger than this, because it rewrites them in memory. */
const LARGEST_TABLE = 100_000_000;

/** The file on disk has changed since it was chosen, so the browser refuses to read it. */
export class FileChanged extends Error {}

/** The columns of a file and its first rows. */
export interface Preview {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
export const NO_PREVIEW: Preview = { columns: [], rows: [] };

/** A preview of the beginning of a file; empty if the beginning cannot be read, in which case the service reports the error. */
export async function previewOf(file: Blob, format: FileFormat, gzip: boolean): Promise<Preview> {
  try {
    const head = await textOf(file, gzip, HEAD);
    const parser = await loadParser();
    const [columns = [], ...rows] = READERS[format](head, parser);
    return { columns: columns.map((name) => name.trim()), rows };
  } catch {
    return NO_PREVIEW;
  }
}

/** If the header line contains a semicolon, the semicolon is the separator; the service uses the same rule. */
const separatorOf = (text: string, format: FileFormat): string =>
  format === 'tsv' ? '\t' : text.split(/[\r\n]/, 1)[0]!.includes(';') ? ';' : ',';
const TABLE = { bom: true, relax_column_count: true, relax_quotes: true };
const tableOf =
  (format: FileFormat) =>
  (head: string, parser: typeof parse): string[][] =>
    // The last row may be cut off.
    parser(head, { ...TABLE, to: SHOWN_ROWS + 1, delimiter: separatorOf(head, format), skip_records_with_error: true });

const cellOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const objectsOf = (objects: readonly object[]): string[][] => {
  const columns = Object.keys(objects[0]!);
  return [columns, ...objects.map((one) => columns.map((name) => cellOf((one as Record<string, unknown>)[name])))];
};

const READERS: Record<FileFormat, (head: string, parser: typeof parse) => string[][]> = {
  csv: tableOf('csv'),
  tsv: tableOf('tsv'),
  ndjson: (head) => {
    const lines = head.slice(0, head.lastIndexOf('\n')).split('\n').slice(0, SHOWN_ROWS);
    return objectsOf(lines.map((line) => JSON.parse(line) as object));
  },
  geojson: (head) => {
    const { features } = JSON.parse(head) as { features: { properties: object; geometry?: { coordinates?: number[] } }[] };
    return objectsOf(
      features
        .slice(0, SHOWN_ROWS)
        .map(({ properties, geometry }) => ({ center: geometry?.coordinates?.slice(0, 2).toReversed().join(', '), ...properties })),
    );
  },
};

/** Whether the portal can change the columns of a file before it is sent. */
export const isChangeable = (file: Blob, format: FileFormat): boolean => ['csv', 'tsv'].includes(format) && file.size <= LARGEST_TABLE;

interface Row {
  /** Line of the file on which the row begins. */
  readonly line: number;
  readonly cells: readonly string[];
}

async function rowsOf(file: Blob, format: FileFormat, gzip: boolean): Promise<Row[]> {
  const text = await textOf(file, gzip);
  // With `info`, the parser also returns where each record ends.
  const options = { ...TABLE, info: true, delimiter: separatorOf(text, format) };
  const records = (await loadParser())(text, options) as unknown as { info: { lines: number }; record: string[] }[];
  return records.map(({ record }, index) => ({ line: (records[index - 1]?.info.lines ?? 0) + 1, cells: record }));
}

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
/** A line of CSV (RFC 4180). An empty line stays empty, so that each row keeps its line number. */
const lineOf = (cells: readonly string[]): string => (cells.length === 1 && cells[0] === '' ? '' : cells.map(quoted).join(','));

/** Renames or leaves out columns of a table. @param nameOf returns the new name of a column, or `undefined` to leave it out */
export async function withColumns(
  file: Blob,
  format: FileFormat,
  gzip: boolean,
  nameOf: (column: string) => string | undefined,
): Promise<Blob> {
  const table = await rowsOf(file, format, gzip).catch((cause: unknown) => {
    throw new FileChanged('The file cannot be read', { cause });
  });
  const [header, ...rows] = table.map(({ cells }) => cells);
  const names = header?.map((name) => nameOf(name.trim())) ?? [];
  const kept = (cells: readonly string[]): string[] => cells.filter((_, index) => index >= names.length || names[index] !== undefined);
  const lines = [names.filter((name) => name !== undefined), ...rows.map((cells) => (cells.length === 1 ? cells : kept(cells)))].map(
    lineOf,
  );
  return new Blob([lines.join('\n'), '\n'], { type: 'text/csv' });
}

/** The rejected rows of a table, unchanged except for the reason in an extra last column, so that they can be corrected and imported. */
export async function refusedRows(
  file: Blob,
  format: FileFormat,
  gzip: boolean,
  faults: readonly { readonly line?: number | undefined; readonly column?: string | undefined; readonly detail: string }[],
): Promise<Blob> {
  const reasons = new Map<number | undefined, string[]>();
  for (const { line, column, detail } of faults) {
    const reason = [column, detail].filter(Boolean).join(': ');
    reasons.set(line, [...(reasons.get(line) ?? []), reason]);
  }
  const [header, ...rows] = await rowsOf(file, format, gzip);
  const refused = rows.flatMap(({ line, cells }) => (reasons.has(line) ? [[...cells, reasons.get(line)!.join('; ')]] : []));
  return csvOf([[...(header?.cells ?? []), 'reason'], ...refused]);
}

/** CSV with a byte order mark, without which Excel assumes another encoding. */
export const csvOf = (rows: readonly (readonly string[])[]): Blob =>
  new Blob([`\uFEFF${rows.map(lineOf).join('\r\n')}\r\n`], { type: 'text/csv' });

/** Reads the text of a file. @param most maximum number of characters to return */
async function textOf(file: Blob, gzip: boolean, most = Infinity): Promise<string> {
  const bytes = gzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader: ReadableStreamDefaultReader<Uint8Array> = bytes.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (let length = 0; length < most;) {
    const { done, value } = await reader.read();
    if (done) return pieces.join('');
    pieces.push(decoder.decode(value, { stream: true }));
    length += pieces.at(-1)!.length;
  }
  await reader.cancel();
  return pieces.join('').slice(0, most);
}
