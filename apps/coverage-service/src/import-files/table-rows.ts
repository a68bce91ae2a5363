import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Fields, MAX_ROW_LENGTH, RefusedFile, type RowFault, type SentRow, UnreadableFile } from './sent-row.js';

const LINE_BREAKS = /\r\n|\n|\r/g;
const LEADING_BREAKS = /^[\r\n]+/;
const END_OF_LINE = /[^\r\n][\r\n]/;
const DECIMAL_COMMA = /^(-?\d+),(\d+)$/;
/** Maximum number of cells per row; csv-parse's limit for a record does not count empty cells. */
const MAX_CELLS = 10_000;
/**
 * By default, the parser would process 16 kB in one turn of the event loop. The call spreads this constant, because csv-parse's types lack
 * stream options.
 */
const ONE_PIECE = { writableHighWaterMark: 1 };

/** How to read a table. */
export interface TableRules {
  /** If absent: comma or semicolon, whichever the header uses. */
  readonly separator?: '\t';
  /** Numeric columns, which may have decimal commas if commas do not separate cells. */
  readonly numbers: readonly string[];
  /** Says what is wrong with the column names. */
  readonly checkHeader: (names: readonly string[], separator: string) => readonly RowFault[];
}

/**
 * Rows from a table with a header (RFC 4180). Empty rows are skipped.
 *
 * @throws UnreadableFile, RefusedFile
 */
export async function* tableRows(pieces: AsyncGenerator<string>, rules: TableRules): AsyncGenerator<SentRow> {
  let beginning = '';
  while (!END_OF_LINE.test(beginning) && beginning.length <= MAX_ROW_LENGTH) {
    const next = await pieces.next();
    if (next.done) break;
    beginning += next.value;
  }
  const [header = ''] = beginning.replace(LEADING_BREAKS, '').split(/[\r\n]/, 1);
  const separator = rules.separator ?? (header.includes(';') ? ';' : ',');
  const table = new Table(separator, rules);
  const parser = parse({
    ...ONE_PIECE,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_LENGTH,
    ignore_last_delimiters: MAX_CELLS,
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
  if (table.isEmpty) throw new UnreadableFile('is empty');
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
    this.lines += cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAKS)?.length ?? 0), 1);
    if (!this.columns) {
      const faults = this.rules.checkHeader(cells, this.separator);
      if (faults.length > 0) throw new RefusedFile(faults, place);
      this.columns = cells;
      return null;
    }
    if (cells.length !== this.columns.length)
      return { place, fields: {}, sent: cells, fault: { detail: `has ${cells.length} cells, but the header has ${this.columns.length}` } };
    // Spreadsheets add empty rows at the end.
    return cells.every((cell) => cell === '') ? null : { place, fields: this.fieldsOf(cells, this.columns), sent: cells };
  }

  private fieldsOf(cells: readonly string[], columns: readonly string[]): Fields {
    const fields: Fields = {};
    for (const [index, cell] of cells.entries()) {
      const column = columns[index]!;
      if (cell === '') continue;
      const isDecimal = this.separator !== ',' && this.rules.numbers.includes(column);
      fields[column] = isDecimal ? cell.replace(DECIMAL_COMMA, '$1.$2') : cell;
    }
    return fields;
  }
}

function unreadable({ code }: CsvError, line: number): UnreadableFile {
  if (code === 'CSV_MAX_RECORD_SIZE') return new UnreadableFile(`has a row of more than ${MAX_ROW_LENGTH} characters`, { line });
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new UnreadableFile('has an unclosed quote that begins in this row', { line });
  const hint = 'Enclose a cell that contains quotes in quotes, and double the quotes inside it: "12"" pipe".';
  return new UnreadableFile('has a quote within a cell', { line }, hint);
}
