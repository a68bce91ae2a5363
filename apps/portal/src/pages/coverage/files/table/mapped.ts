import { IMPORT_COLUMNS, TOKENS } from '@fibre/client';
import { dateReader } from './dates.js';
import { type FarRow, farRows } from './far.js';
import type { Mapping } from '../../last-import.js';
import { fieldsOf, guessStage, isSum } from './guess.js';
import { type Heading, headingOf } from './heading.js';
import type { Preview } from './preview.js';
import { inOrder, isEmpty, type Ranges, REASON, type Row, withColumns } from './table-file.js';

/** Columns of our own files that are not imported. */
const LEFT_OUT = { [REASON]: '', created_by: '', modified_by: '' };
const DATES = 'available_from';
/** Number of words that a person is asked about; a column with more of them hardly contains stages. */
const MOST_WORDS = 20;

/** What a person says about a table; the rest is guessed. */
export interface Choices extends Mapping {
  /** The line with the headings. */
  readonly heading?: number | undefined;
  /** Cells that were corrected here, by {@link placeOfCell}. */
  readonly cells: Readonly<Record<string, string>>;
  /** The lines to import, if the others are there already. */
  readonly only?: Ranges | undefined;
}

/** A cell, by its line and the index of its column. */
export const placeOfCell = (line: number, column: number): string => `${line}:${column}`;

/** What the columns of a table contain, and what is done with its rows. */
export interface Mapped {
  readonly heading: Heading;
  /** The columns with anything in them. */
  readonly columns: readonly string[];
  /** The field of each column; empty if it is left out, absent if that is not known. */
  readonly fields: Readonly<Record<string, string>>;
  /** The rows to import. */
  readonly rows: readonly Row[];
  /** Words for stages that are not the API's. */
  readonly words: readonly string[];
  readonly stageOf: (word: string) => string | undefined;
  readonly far: readonly FarRow[];
  /** How many rows have only separators. */
  readonly empty: number;
  /** The lines with sums. */
  readonly sums: readonly number[];
  /** How a date of the file is read. */
  readonly date?: readonly [written: string, read: string];
  /** The index of the column with a field, or -1. */
  readonly indexOf: (field: string) => number;
  /** The rows as the service reads them; nothing if the file is such a table as it is. */
  readonly content: () => Blob | undefined;
}

/** @param isWhole whether the preview is the whole file, which is then rewritten */
export function mapped({ table, filled }: Preview, isWhole: boolean, choices: Choices): Mapped {
  const known = { ...LEFT_OUT, ...choices.fields };
  const heading = headingOf(filled, choices.fields, choices.heading);
  const { columns: all, row } = heading;
  const corrected = (one: Row): Row => correctedRow(one, choices.cells);
  const below = filled.filter(({ line }) => line > row.line);
  const isBlank = all.map(
    (_, index) => (row.cells[index]?.trim() ?? '') === '' && !below.some(({ cells }) => (cells[index]?.trim() ?? '') !== ''),
  );
  const columns = all.filter((_, index) => !isBlank[index]);
  const guessed = fieldsOf(columns, known);
  const fieldOf = (name: string): string | undefined => guessed[name] ?? (IMPORT_COLUMNS.includes(name) ? name : undefined);
  const fields = Object.fromEntries(columns.flatMap((name) => (fieldOf(name) === undefined ? [] : [[name, fieldOf(name)!]])));
  const indexOf = (field: string): number => all.findIndex((name) => fields[name] === field);

  const [latitude, longitude, center] = [indexOf('latitude'), indexOf('longitude'), indexOf('center')];
  const date = indexOf(DATES);
  const isSumRow = ({ cells }: Row): boolean => isSum(cells) && [latitude, center].every((index) => (cells[index]?.trim() ?? '') === '');
  const rows = below.filter((one) => !isSumRow(one)).map(corrected);
  const cellsAt = (index: number): string[] => (index < 0 ? [] : rows.map(({ cells }) => cells[index]?.trim() ?? ''));
  const words = isWhole ? [...new Set(cellsAt(indexOf('token')))].filter((word) => word !== '' && !TOKENS.some((one) => one === word)) : [];
  const stageOf = (word: string): string | undefined => choices.stages[word] ?? guessStage(word);
  const readDate = dateReader(
    cellsAt(date),
    table.separator !== ',' && [latitude, longitude].some((index) => cellsAt(index).some((cell) => cell.includes(','))),
  );
  const written = isWhole ? cellsAt(date).find((cell) => readDate(cell) !== cell) : undefined;
  const blanks = table.rows.filter((one) => one.line > row.line && one.cells.length > 1 && isEmpty(one)).length;
  const sums = below.filter(isSumRow).map(({ line }) => line);
  const isSame =
    all.every((name) => fields[name] === name) &&
    words.length + blanks + sums.length + Object.keys(choices.cells).length === 0 &&
    choices.only === undefined &&
    written === undefined &&
    row.line === (filled[0]?.line ?? row.line);
  return {
    heading,
    columns,
    fields,
    rows,
    words: words.slice(0, MOST_WORDS),
    stageOf,
    far: isWhole ? farRows(rows, { latitude, longitude, center }) : [],
    empty: blanks,
    sums,
    ...(written !== undefined && { date: [written, readDate(written)] as const }),
    indexOf,
    content: () => {
      if (isSame || !isWhole) return undefined;
      const translated = (cell: string, name: string): string => {
        if (name === 'token') return stageOf(cell.trim()) || cell;
        return name === DATES ? readDate(cell) : cell;
      };
      const names = all.map((name) => fields[name] || undefined);
      const isAsked = choices.only ? inOrder(choices.only) : () => true;
      return withColumns(
        { ...table, rows: table.rows.map(corrected) },
        row,
        names,
        translated,
        (one) => isSumRow(one) || !isAsked(one.line),
      );
    },
  };
}

function correctedRow(row: Row, cells: Readonly<Record<string, string>>): Row {
  const isCorrected = row.cells.some((_, index) => placeOfCell(row.line, index) in cells);
  return isCorrected ? { ...row, cells: row.cells.map((cell, index) => cells[placeOfCell(row.line, index)] ?? cell) } : row;
}
