/** A row as a line of a table (RFC 4180). An empty line stays empty, so that each row keeps its line number. */
function lineOf(cells: readonly string[], separator: string): string {
  const needsQuotes = (cell: string): boolean => ['"', '\r', '\n', separator].some((one) => cell.includes(one));
  return cells.map((cell) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(separator);
}

/** Writes a table with a byte order mark, without which Excel assumes another encoding. */
export const tableOf = (rows: readonly (readonly string[])[], separator = ','): Blob =>
  new Blob([`\uFEFF${rows.map((cells) => lineOf(cells, separator)).join('\r\n')}\r\n`], { type: 'text/csv' });

/** What a spreadsheet would run as a formula: the characters that the services refuse in texts for other tenants, but not a number. */
const FORMULA = /^[=+\-@\t\r\n](?![\d.,\s]*$)/;

/** The columns of a file, by their names. */
export type FileColumns<T> = Readonly<Record<string, (item: T) => string | number | undefined>>;

/** Records as a file for spreadsheets, in which formulas begin with an apostrophe, as spreadsheets mark text. */
export function csvOf<T>(items: readonly T[], columns: FileColumns<T>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const cellOf = (value: string | number = ''): string => (FORMULA.test(String(value)) ? `'${value}` : String(value));
  return tableOf([Object.keys(columns), ...items.map((item) => Object.values(columns).map((valueOf) => cellOf(valueOf(item))))]).stream();
}
