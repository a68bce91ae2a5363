/** A row as a line of a table (RFC 4180). An empty line stays empty, so that each row keeps its line number. */
function lineOf(cells: readonly string[], separator: string): string {
  const needsQuotes = (cell: string): boolean => ['"', '\r', '\n', separator].some((one) => cell.includes(one));
  return cells.map((cell) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator);
}

/** Writes a table with a byte order mark, without which Excel assumes another encoding. */
export const tableOf = (rows: readonly (readonly string[])[], separator = ','): Blob =>
  new Blob([`\uFEFF${rows.map((cells) => lineOf(cells, separator)).join('\r\n')}\r\n`], { type: 'text/csv' });

/** What a spreadsheet would run as a formula: the characters that the services refuse in texts for other tenants, but not a number or a pair of coordinates. */
const FORMULA = /^[=+\-@\t\r\n](?![\d.,\s]*(?:, -[\d.]+)?$)/;

type Cell = string | number | boolean | undefined;
/** The columns of a file: members of the record, or names with what they contain. */
export type FileColumns<T> = readonly ((keyof T & string) | readonly [name: string, cell: (item: T) => Cell])[];

/** Records as a file for spreadsheets, in which formulas begin with an apostrophe, as spreadsheets mark text. */
export function csvOf<T>(items: readonly T[], columns: FileColumns<T>): Blob {
  const all = columns.map((column) => (typeof column === 'string' ? ([column, (item: T) => item[column] as Cell] as const) : column));
  const textOf = (value: Cell = ''): string => (FORMULA.test(String(value)) ? `'${value}` : String(value));
  return tableOf([all.map(([name]) => name), ...items.map((item) => all.map(([, cell]) => textOf(cell(item))))]);
}
