import { IMPORT_COLUMNS } from '@fibre/client';
import { fieldsOf } from './guess.js';
import { NO_ROW, type Row } from './table-file.js';

/** Among how many rows the headings are looked for, and a person may choose. */
const MOST_ABOVE = 20;

/** The row with the headings of a table. */
export interface Heading {
  readonly row: Row;
  /** A name for each column, none of them twice. */
  readonly columns: readonly string[];
  /** Whether two of the names are those of fields. */
  readonly isSure: boolean;
}

/** The rows of which one has the headings. */
export const candidates = (filled: readonly Row[]): readonly Row[] => filled.slice(0, MOST_ABOVE);

/**
 * The headings: the first row in which two cells look like names of fields, or the last of several such rows, since merged headings have a
 * second row; without such a row, the first one.
 *
 * @param filled the rows that have cells
 * @param known the fields of columns that a person has chosen before
 * @param line where the headings are, if the person says so
 */
export function headingOf(filled: readonly Row[], known: Readonly<Record<string, string>>, line?: number): Heading {
  const rows = candidates(filled);
  const isHeading = ({ cells }: Row): boolean => fieldsIn(cells, known) > 1;
  let at = line === undefined ? rows.findIndex(isHeading) : rows.findIndex((row) => row.line === line);
  if (line === undefined) while (at >= 0 && at + 1 < rows.length && isHeading(rows[at + 1]!)) at++;
  const row = rows[Math.max(0, at)] ?? NO_ROW;
  const above = rows.slice(0, Math.max(0, at)).filter(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1);
  const width = Math.max(...[row, ...above].map(({ cells }) => cells.length));
  const names = Array.from({ length: width }, (_, index) => {
    const own = row.cells[index]?.trim() ?? '';
    // A heading that is merged with the cell below it has its name in the upper one.
    const merged = above.map(({ cells }) => cells[index]?.trim() ?? '').findLast((cell) => cell !== '');
    return own || merged || letterOf(index);
  });
  return { row, columns: unique(names), isSure: fieldsIn(names, known) > 1 };
}

/** How many different fields these cells are names of. */
function fieldsIn(cells: readonly string[], known: Readonly<Record<string, string>>): number {
  const names = unique(cells.map((cell) => cell.trim()).filter((cell) => cell !== ''));
  const fields = fieldsOf(names, known);
  return new Set(names.map((name) => (IMPORT_COLUMNS.includes(name) ? name : fields[name])).filter(Boolean)).size;
}

/** Different names, also of columns that are called the same. */
function unique(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 2; taken.has(own); number++) own = `${name} (${number})`;
    taken.add(own);
    return own;
  });
}

/** The name that spreadsheets give to a column: A, B ... Z, AA. */
const letterOf = (index: number): string =>
  (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
