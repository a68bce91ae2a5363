import { pipeline } from 'node:stream';
import type { Problem } from '@fibre/problems';
import { CsvError, parse } from 'csv-parse';
import { type Fields, MAX_ROW_LENGTH, RefusedFile, type RowFault, type SentRow, unreadableFile } from './sent-row.js';

const LINE_BREAKS = /\r\n|\n|\r/g;
const LINE_BREAK = /[\r\n]/;
const DECIMAL_COMMA = /^(-?\d+),(\d+)$/;
/** Where the comma is the decimal sign, a dot before three digits may separate thousands; elsewhere it is a decimal point. */
const MAYBE_THOUSANDS = /^-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/;
/** Too many cells for a row: the last one contains the rest of the row. csv-parse's limit for a record does not count empty cells. */
const TOO_MANY_CELLS = 10_000;
/**
 * By default, the parser would process 16 kB in one turn of the event loop. The call spreads this constant, because csv-parse's types lack
 * stream options.
 */
const ONE_PIECE = { writableHighWaterMark: 1 };

/** How to read a table. */
export interface TableRules {
  /** If absent: that of {@link separatorOf}. */
  readonly separator?: '\t';
  /** Numeric columns, which may have decimal commas if commas do not separate cells. */
  readonly numbers: readonly string[];
  /** Those of them whose numbers may exceed a thousand. */
  readonly largeNumbers?: readonly string[];
  /** Called first if the file has a byte order mark. */
  readonly onMark?: () => void;
  /** Says what is wrong with the column names. */
  readonly checkHeader: (names: readonly string[], separator: string) => readonly RowFault[];
}

/**
 * Rows from a table with a header (RFC 4180). Empty rows are skipped.
 *
 * @throws Problem 400, RefusedFile
 */
export async function* tableRows(pieces: AsyncGenerator<string>, rules: TableRules): AsyncGenerator<SentRow> {
  let beginning = '';
  let separator: string | undefined = rules.separator;
  while (separator === undefined && beginning.length <= MAX_ROW_LENGTH) {
    const next = await pieces.next();
    if (next.done) break;
    beginning += next.value;
    if (LINE_BREAK.test(next.value)) separator = separatorOf(beginning);
  }
  separator ??= separatorOf(`${beginning}\n`) ?? ',';
  const table = new Table(separator, rules);
  const parser = parse({
    ...ONE_PIECE,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_LENGTH,
    ignore_last_delimiters: TOO_MANY_CELLS,
    relax_column_count: true,
    skip_empty_lines: true,
    // csv-parse's types only know records of strings.
    on_record: (cells: string[], { empty_lines }) => table.row(cells, empty_lines) as never,
  });
  async function* fromBeginning(): AsyncGenerator<string> {
    yield beginning;
    yield* pieces;
  }
  // The iteration throws the pipeline's errors.
  pipeline(fromBeginning, parser, () => undefined);
  try {
    yield* parser as AsyncIterable<SentRow>;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error, table.line(parser.info.empty_lines)) : error;
  }
  if (table.isEmpty) throw unreadableFile('is empty');
}

class Table {
  private columns: readonly string[] | undefined;
  /** Number of lines in the rows so far. */
  private lines = 0;

  constructor(
    private readonly separator: string,
    private readonly rules: TableRules,
  ) {}

  get isEmpty(): boolean {
    return this.columns === undefined;
  }

  /** The line where the next row begins. csv-parse counts CRLF in quotes twice. */
  line(emptyLines: number): number {
    return 1 + this.lines + emptyLines;
  }

  /** @returns `null` for the header and for an empty row */
  row(cells: readonly string[], emptyLines: number): SentRow | null {
    const place = this.line(emptyLines);
    const lines = cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAKS)?.length ?? 0), 1);
    const end = lines > 1 && { end: place + lines - 1 };
    this.lines += lines;
    if (!this.columns) {
      if (cells.length >= TOO_MANY_CELLS) throw unreadableFile(`has ${TOO_MANY_CELLS} or more columns`, { line: place });
      const faults = this.rules.checkHeader(cells, this.separator);
      if (faults.length > 0) throw new RefusedFile(faults, place);
      this.columns = cells;
      return null;
    }
    if (cells.length !== this.columns.length) {
      const more = cells.length >= TOO_MANY_CELLS ? ' or more' : '';
      const detail = `has ${cells.length}${more} ${cells.length === 1 ? 'cell' : 'cells'}, but the header has ${this.columns.length}`;
      return { place, ...end, fields: {}, sent: cells, fault: { detail } };
    }
    // Spreadsheets add empty rows at the end.
    return cells.every((cell) => cell === '') ? null : { place, ...end, ...this.fieldsOf(cells, this.columns), sent: cells };
  }

  private fieldsOf(cells: readonly string[], columns: readonly string[]): Pick<SentRow, 'fields' | 'faults'> {
    const fields: Fields = {};
    const faults: RowFault[] = [];
    for (const [index, cell] of cells.entries()) {
      const column = columns[index]!;
      if (cell === '') continue;
      const isDecimal = this.separator !== ',' && this.rules.numbers.includes(column);
      fields[column] = isDecimal ? cell.replace(DECIMAL_COMMA, '$1.$2') : cell;
      if (isDecimal && this.rules.largeNumbers?.includes(column) && MAYBE_THOUSANDS.test(cell)) faults.push(maybeThousands(column, cell));
    }
    return faults.length > 0 ? { fields, faults } : { fields };
  }
}

/** `1.000` is a thousand in German, and one in English. */
function maybeThousands(column: string, cell: string): RowFault {
  const plain = cell.replaceAll('.', '');
  const decimal = /^[^.]*\.\d{3}$/.test(cell) ? `, or ${cell.replace('.', ',')} with a decimal comma` : '';
  return { column, detail: `is ambiguous: ${cell} may have thousands separators; write ${plain}${decimal}` };
}

function unreadable({ code }: CsvError, line: number): Problem {
  if (code === 'CSV_MAX_RECORD_SIZE') return unreadableFile(`has a row of more than ${MAX_ROW_LENGTH} characters`, { line });
  if (code === 'CSV_QUOTE_NOT_CLOSED') return unreadableFile('has an unclosed quote that begins in this row', { line });
  const hint = 'Enclose a cell that contains quotes in quotes, and double the quotes inside it: "12"" pipe".';
  return unreadableFile('has a quote within a cell', { line }, hint);
}

/** Text in quotes. A missing end is the end of the text. */
const QUOTED = /"[^"]*(?:"|$)/g;
/** The first line with any text, if its end has been reached. */
const FIRST_LINE = /^[\r\n]*([^\r\n]+)[\r\n]/;

/**
 * What separates the cells of a table: a comma or a semicolon, whichever the first record has more of. A record may have line breaks within
 * quotes, and what is within quotes separates nothing.
 *
 * @param text the beginning of the table
 * @returns `undefined` if the first record does not end within the text
 */
export function separatorOf(text: string): ',' | ';' | undefined {
  const [, record] = FIRST_LINE.exec(text.replaceAll(QUOTED, '""')) ?? [];
  if (record === undefined) return undefined;
  const count = (separator: string): number => record.split(separator).length - 1;
  return count(';') > 0 && count(';') >= count(',') ? ';' : ',';
}
