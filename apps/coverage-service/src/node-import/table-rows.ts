import { membersOf } from '@fibre/dto';
import { CsvError, parse, type Parser } from 'csv-parse';
import { CreateAccessNodeRequest } from '../access-nodes/access-node.requests.js';
import { BadHeader, type Fields, MAX_ROW_BYTES, type RowFault, type SentRow, UnreadableFile } from './node-import.js';
import { FOR_ALL_ROWS, type ForAllRows } from './row-rules.js';
import { utf8Chunks } from './utf8.js';

const LINE_BREAK = /\r\n|\n|\r/;
const LINE_BREAKS = /\r\n|\n|\r/g;
const QUOTE = '"';
/** Characters that are read at once. Other requests have their turns in between. */
const PIECE = 16_384;
const DECIMAL_COMMA = /^(-?\d+),(\d+)$/;

const DEGREES = ['latitude', 'longitude'] as const;
const COLUMNS: readonly string[] = [...membersOf(CreateAccessNodeRequest).keys(), ...DEGREES];

/**
 * The rows of a table with a header (RFC 4180): separated by what is given, or by comma or semicolon, which the header line tells.
 *
 * A file is split by lines and separators up to its first quote, for most have none and csv-parse takes several times as long. It reads what begins
 * with the line of that quote.
 *
 * @throws UnreadableFile, BadHeader
 */
export async function* tableRows(bytes: AsyncIterable<Buffer>, tab: '\t' | undefined, forAllRows: ForAllRows): AsyncGenerator<SentRow[]> {
  const table = new Table(tab, forAllRows);
  for await (const chunk of utf8Chunks(bytes, (line) => line)) {
    for (const piece of pieces(chunk.toString())) {
      await table.take(piece);
      yield table.rows.splice(0);
    }
  }
  await table.end();
  yield table.rows.splice(0);
}

function* pieces(text: string): Generator<string> {
  let at = 0;
  while (at < text.length) {
    // Not between the halves of a character.
    const end = at + PIECE + (text.codePointAt(at + PIECE - 1)! > 0xffff ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

class Table {
  /** Rows that are read and not taken away yet. */
  readonly rows: SentRow[] = [];
  /** Of the row that comes next. */
  line = 1;
  private columns: readonly string[] | undefined;
  private separator: string | undefined;
  private hasDecimalCommas = false;
  private pending = '';
  private parser: Parser | undefined;

  constructor(
    private readonly tab: '\t' | undefined,
    private readonly forAllRows: ForAllRows,
  ) {}

  async take(text: string): Promise<void> {
    if (this.parser) return this.parse(this.parser, text);
    this.pending += text;
    const quote = this.pending.indexOf(QUOTE);
    const end = endOfLines(this.pending, quote < 0 ? this.pending.length : quote);
    const rest = this.pending.slice(end);
    this.split(this.pending.slice(0, end));
    this.pending = rest;
    if (quote >= 0) {
      // Without its whole first line nobody knows the separator.
      if (this.separator === undefined && !LINE_BREAK.test(rest) && rest.length <= MAX_ROW_BYTES) return;
      await this.parseFrom(rest);
    } else if (rest.length > MAX_ROW_BYTES) {
      throw tooLong(this.line);
    }
  }

  async end(): Promise<void> {
    if (!this.parser && this.pending.includes(QUOTE)) await this.parseFrom(this.pending);
    const { parser } = this;
    if (parser) await this.settled((done) => parser.end(done));
    else if (this.pending !== '') this.split(`${this.pending}\n`);
    if (!this.columns) throw new UnreadableFile('is empty');
  }

  /** Lines without quotes. */
  private split(text: string): void {
    if (text === '') return;
    const lines = text.split(text.includes('\r') ? LINE_BREAK : '\n');
    // Behind the last break there is nothing.
    lines.pop();
    for (const line of lines) {
      if (line.length > MAX_ROW_BYTES) throw tooLong(this.line);
      // A gigabyte of them is a small file when it is compressed.
      if (line === '' && this.columns) {
        this.line++;
        continue;
      }
      this.separator ??= this.separatorOf(line);
      this.add(line.split(this.separator), 1);
    }
  }

  private async parseFrom(text: string): Promise<void> {
    this.pending = '';
    this.separator ??= this.separatorOf(text.split(LINE_BREAK, 1)[0]!);
    this.parser = parse({
      delimiter: this.separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MAX_ROW_BYTES,
      relax_column_count: true,
      on_record: (cells: string[]) => {
        // Its own count takes a line break of two characters within quotes for two.
        this.add(cells, 1 + cells.reduce((sum, cell) => sum + (cell.match(LINE_BREAKS)?.length ?? 0), 0));
        return null;
      },
    });
    this.parser.on('error', () => undefined).resume();
    await this.parse(this.parser, text);
  }

  private parse(parser: Parser, text: string): Promise<void> {
    return this.settled((done) => void parser.write(text, done));
  }

  private async settled(work: (done: (error?: Error | null) => void) => void): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => work((error) => (error ? reject(error) : resolve())));
    } catch (error) {
      throw error instanceof CsvError ? this.unreadable(error) : error;
    }
  }

  private unreadable({ code }: CsvError): UnreadableFile {
    if (code === 'CSV_MAX_RECORD_SIZE') return tooLong(this.line);
    if (code === 'CSV_QUOTE_NOT_CLOSED') return new UnreadableFile('has a quote that is never closed; it begins in this row', this.line);
    return new UnreadableFile(
      'has a quote within a cell',
      this.line,
      'A cell with quotes in it is written in quotes, and each of its own quotes twice: "12"" pipe".',
    );
  }

  private separatorOf(header: string): string {
    const separator = this.tab ?? (header.includes(';') ? ';' : ',');
    this.hasDecimalCommas = separator !== ',';
    return separator;
  }

  private add(cells: readonly string[], lines: number): void {
    const place = this.line;
    this.line += lines;
    if (!this.columns) this.columns = this.readHeader(cells);
    else if (cells.length === this.columns.length) this.addRow(place, cells, this.columns);
    else if (cells.some((cell) => cell !== ''))
      this.rows.push({ place, fields: {}, fault: { detail: `has ${cells.length} cells, and the header has ${this.columns.length}` } });
  }

  private addRow(place: number, cells: readonly string[], columns: readonly string[]): void {
    const fields: Fields = {};
    let isEmpty = true;
    for (const [index, cell] of cells.entries()) {
      const column = columns[index]!;
      if (cell !== '') isEmpty = false;
      if (column === 'latitude' || column === 'longitude')
        fields[column] = this.hasDecimalCommas ? cell.replace(DECIMAL_COMMA, '$1.$2') : cell;
      else if (cell !== '') fields[column] = cell;
    }
    // Spreadsheets leave such rows at the end.
    if (!isEmpty) this.rows.push({ place, fields });
  }

  private readHeader(names: readonly string[]): readonly string[] {
    const faults = headerFaults(names, this.forAllRows);
    if (faults.length > 0) throw new BadHeader(faults);
    return names;
  }
}

/** Index behind the last line break before `limit`. */
function endOfLines(text: string, limit: number): number {
  // Behind a carriage return at the very end a line feed may come.
  const before = (character: string, end: number): number => (end > 0 ? text.lastIndexOf(character, end - 1) : -1);
  return Math.max(before('\r', Math.min(limit, text.length - 1)), before('\n', limit)) + 1;
}

const tooLong = (line: number): UnreadableFile => new UnreadableFile(`has a row of more than ${MAX_ROW_BYTES} characters`, line);

function headerFaults(names: readonly string[], forAllRows: ForAllRows): RowFault[] {
  const unknown = [...new Set(names)].filter((name) => !COLUMNS.includes(name));
  const twice = [...repeated(names)];
  const needed = FOR_ALL_ROWS.filter((column) => forAllRows[column] === undefined && !names.includes(column));
  const degrees = DEGREES.filter((column) => names.includes(column));
  const hasCenter = names.includes('center');
  return [
    ...unknown.map((column) => ({ column, detail: column === '' ? 'has no name' : unknownColumn(column) })),
    ...twice.map((column) => ({ column, detail: 'stands in the header more than once' })),
    ...needed.map((column) => ({ column, detail: 'is missing; it has to be a column or a parameter of the request' })),
    ...(hasCenter && degrees.length > 0
      ? [{ column: 'center', detail: 'stands beside latitude and longitude; one of both is enough' }]
      : []),
    ...(hasCenter || degrees.length === 2
      ? []
      : [
          {
            column: degrees[0] === 'latitude' ? 'longitude' : degrees[0] ? 'latitude' : 'center',
            detail: 'is missing; a place is center, or latitude and longitude',
          },
        ]),
  ];
}

/** A header may have thousands of names, so each is looked up and not looked for. */
function repeated(names: readonly string[]): Set<string> {
  const [seen, again] = [new Set<string>(), new Set<string>()];
  for (const name of names) (seen.has(name) ? again : seen).add(name);
  return again;
}

function unknownColumn(name: string): string {
  const meant = COLUMNS.find((column) => column === name.trim().toLowerCase());
  return meant ? `is no column of an import; did you mean ${meant}?` : `is no column of an import; it takes ${COLUMNS.join(', ')}`;
}
