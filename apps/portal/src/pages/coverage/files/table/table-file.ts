import type { FileFormat } from '@fibre/client';
import type { CsvError, Options, parse } from 'csv-parse/browser/esm/sync';
import { tableOf } from '../../../../ui/csv.js';
import { isInMemory, type Source, textOf, unreadable } from './source.js';

const LINE_BREAKS = /\r\n|\n|\r/g;
const FIRST_ROW = /^[\r\n]*((?:"[^"]*"?|[^"\r\n]+)*)/;
const QUOTED = /"[^"]*"?/g;

/** The last column of a file of rejected rows. */
export const REASON = 'reason';

export const isTable = ({ format }: Source): boolean => ['csv', 'tsv'].includes(format);
/** Whether the portal can change the columns of a file before it is sent. */
export const isChangeable = (source: Source): boolean => isTable(source) && isInMemory(source.file);

/** The separator of a table. In CSV, it is the one that occurs more often in the first row, outside quotes; the service uses the same rule. */
function separatorOf(text: string, format: FileFormat): string {
  if (format === 'tsv') return '\t';
  const header = FIRST_ROW.exec(text)![1]!.replaceAll(QUOTED, '');
  const [semicolons, commas] = [header.split(';').length, header.split(',').length];
  return semicolons > 1 && semicolons >= commas ? ';' : ',';
}

export interface Row {
  /** Line of the file on which the row begins. */
  readonly line: number;
  readonly cells: readonly string[];
}
export const NO_ROW: Row = { line: 1, cells: [] };
/** Whether a row has nothing in it; spreadsheets write the separators of such rows too. */
export const isEmpty = ({ cells }: Row): boolean => cells.every((cell) => cell.trim() === '');

/** Number of line breaks within the cells of a row. */
const breaksIn = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAKS)?.length ?? 0), 0);

export interface Table {
  readonly separator: string;
  /** Empty lines are rows with one empty cell. */
  readonly rows: readonly Row[];
}

/** @throws Refusal if a quote is misplaced */
export async function parseTable(text: string, format: FileFormat, options: Options = {}): Promise<Table> {
  // Loaded on demand, because most visits to the map do not need a parser.
  const csv = (await import('csv-parse/browser/esm/sync')) as { parse: typeof parse; CsvError: typeof CsvError };
  const separator = separatorOf(text, format);
  const rows: Row[] = [];
  let line = 1;
  const onRecord = (cells: string[]): null => {
    rows.push({ line, cells });
    line += 1 + breaksIn(cells);
    return null;
  };
  try {
    csv.parse(text, {
      delimiter: separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      on_record: onRecord,
      ...options,
    });
  } catch (error) {
    if (!(error instanceof csv.CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') throw unreadable('has an unclosed quote that begins in this row', line);
    const hint = 'Enclose a cell that contains quotes in quotes, and double the quotes inside it: "12"" pipe".';
    throw unreadable('has a quote within a cell', line, hint);
  }
  return { separator, rows };
}

/**
 * Renames or leaves out columns of a table, and translates cells. Each row stays on its line, so that the lines that the service names are
 * those of the file; what is above the headings, and rows that are skipped, become empty lines.
 *
 * @param heading the row with the headings
 * @param names the new name of each column, or `undefined` to leave it out
 * @param translated returns a cell of the column with this new name
 * @param isSkipped whether a row is left out
 */
export function withColumns(
  { separator, rows }: Table,
  heading: Row,
  names: readonly (string | undefined)[],
  translated: (cell: string, name: string) => string = (cell) => cell,
  isSkipped: (row: Row) => boolean = () => false,
): Blob {
  const kept = (cells: readonly string[]): string[] =>
    cells.flatMap((cell, index) => {
      // Cells beyond the headings are rejected by the service, unless they are empty.
      if (index >= names.length) return cell.trim() === '' ? [] : [cell];
      const name = names[index];
      return name === undefined ? [] : [translated(cell, name)];
    });
  const changedRow = (row: Row): readonly string[] => {
    if (row.line === heading.line) return names.filter((name) => name !== undefined);
    if (row.line < heading.line || isEmpty(row) || isSkipped(row)) return [''];
    // A row that the service rejects, because the other cells are missing.
    return row.cells.length === 1 && names.length > 1 ? row.cells : kept(row.cells);
  };
  const changed = rows.flatMap((row) => {
    const cells = changedRow(row);
    // Empty lines, which the service skips, replace the line breaks of what is left out.
    return [cells, ...Array.from({ length: breaksIn(row.cells) - breaksIn(cells) }, () => [''])];
  });
  // The header of a single column contains no separator, so the service would assume a comma.
  const isSingle = names.filter((name) => name !== undefined).length === 1;
  return tableOf(changed, isSingle && separator === ';' ? ',' : separator);
}

export interface Fault {
  readonly line?: number | undefined;
  readonly column?: string | undefined;
  readonly detail: string;
}

/** Lines, or numbers of features, each range from a first to a last one. */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** A test of whether a number is in one of these ranges, which are in order; numbers must be asked for in order too. */
export function inOrder(ranges: Ranges): (number: number) => boolean {
  let at = 0;
  return (number) => {
    while (at < ranges.length && ranges[at]![1] < number) at++;
    return at < ranges.length && ranges[at]![0] <= number;
  };
}

/** The rejected rows of a file, and how many there are. */
export interface RefusedRows {
  readonly content: Blob;
  readonly count: number;
}

/**
 * The rejected rows of a file in its own format, so that they can be corrected and imported. In a table, they are unchanged except for the
 * reason in the last column; the rows of another file are exactly as they were.
 *
 * @param refused every rejected line or feature
 * @param unlisted the reason of rows that are not among the faults, of which the service only lists the first
 * @param table the file as a table with its headings, if it is one
 */
export async function refusedRows(
  source: Source,
  refused: Ranges,
  faults: readonly Fault[],
  unlisted: string,
  table?: { readonly table: Table; readonly heading: Row },
): Promise<RefusedRows> {
  const isRefused = inOrder(refused);
  if (source.format === 'ndjson') return refusedLines(await textOf(source), isRefused);
  if (source.format === 'geojson') return refusedFeatures(await textOf(source), isRefused);
  const reasons = new Map<number | undefined, string[]>();
  for (const { line, column, detail } of faults) {
    const reason = [column, detail].filter(Boolean).join(': ');
    reasons.set(line, [...(reasons.get(line) ?? []), reason]);
  }
  const { separator, rows } = table?.table ?? (await parseTable(await textOf(source), source.format));
  const filled = rows.filter((row) => !isEmpty(row));
  const header = table?.heading ?? filled[0] ?? NO_ROW;
  const others = filled.filter(({ line }) => line > header.line);
  // The file itself may consist of rows that were rejected before.
  const own = header.cells.at(-1) === REASON ? header.cells.length - 1 : undefined;
  const withReason = (cells: readonly string[], reason: string): string[] => [...cells.slice(0, own), reason];
  const found = others.filter(({ line }) => isRefused(line));
  const lines = found.map(({ line, cells }) => withReason(cells, reasons.get(line)?.join('; ') ?? unlisted));
  return { content: tableOf([withReason(header.cells, REASON), ...lines], separator), count: found.length };
}

function refusedLines(text: string, isRefused: (line: number) => boolean): RefusedRows {
  const found = text.split(/\r?\n/).filter((line, index) => isRefused(index + 1) && line.trim() !== '');
  return { content: new Blob(found.map((line) => `${line}\n`)), count: found.length };
}

function refusedFeatures(text: string, isRefused: (feature: number) => boolean): RefusedRows {
  const collection = JSON.parse(text.replace(/^\uFEFF/, '')) as { features: unknown[] };
  const features = collection.features.filter((_, index) => isRefused(index + 1));
  return { content: new Blob([JSON.stringify({ ...collection, features })]), count: features.length };
}
