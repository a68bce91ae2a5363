import { FibreError } from '../errors.js';

/** A row of a spreadsheet that has any cells, as text. */
export interface SheetRow {
  /** As the spreadsheet counts them, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** How many sheets are searched for one that is a table. */
const MOST_SHEETS = 10;

/**
 * Reads the first sheet of a spreadsheet (.xlsx) that is a table, as text: numbers have a decimal point, dates are `2027-03-01` and
 * texts are as they are.
 *
 * @throws FibreError if it is no such file
 */
export async function sheetRows(file: Uint8Array): Promise<SheetRow[]> {
  // Loaded only when someone chooses a sheet.
  const { streamXlsxRows } = await import('hucre/xlsx');
  let first: SheetRow[] | undefined;
  for (let sheet = 0; sheet < MOST_SHEETS; sheet++) {
    const rows: SheetRow[] = [];
    try {
      for await (const { index, values } of streamXlsxRows(file, { sheet })) rows.push({ line: index + 1, cells: values.map(textOf) });
    } catch (error) {
      // There is no other sheet.
      if (first) break;
      throw new FibreError('The file is not a spreadsheet in the format .xlsx, is damaged, or has a password', { cause: error });
    }
    if (rows.some(({ cells }) => cells.filter((cell) => cell !== '').length > 1)) return rows;
    first ??= rows;
  }
  return first ?? [];
}

/** What a cell shows, in the spelling of the services; a line break would move the lines below. */
function textOf(value: string | number | boolean | Date | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return dateText(value);
  // Not by one expression with spaces around the break: a long run of spaces would take its square.
  const lines = String(value).split(/[\r\n]+/);
  return lines.length === 1 ? lines[0]! : lines.map((line) => line.trim()).join(' ');
}

function dateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return '';
  const [date = '', time = ''] = value.toISOString().split('T');
  const clock = time.replace(/(:00)?\.\d+Z$/, '');
  // A time of day is a part of the day 0, in the one system, or of the first, in the other.
  if (['1899-12-30', '1899-12-31', '1904-01-01'].includes(date)) return clock;
  return clock === '00:00' ? date : `${date}T${time.replace(/\.\d+Z$/, '')}`;
}
