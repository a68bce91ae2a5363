import { Temporal } from 'temporal-polyfill';
import { TooManyRowsError } from '../errors.js';

export type Cell = string | number | boolean | undefined;

/** How a spreadsheet shows what a column contains. The library writes empty cells into the gaps of a column with a format. */
const KINDS = {
  id: { width: 38 },
  text: { width: 24 },
  number: { width: 12 },
  /** A number with two decimals, without gaps. */
  days: { width: 12, numFmt: '0.00' },
  /** A timestamp with offset, without gaps. */
  time: { width: 20, numFmt: 'yyyy-mm-dd hh:mm:ss' },
} as const;

export interface SheetColumn<Row> {
  readonly heading: string;
  readonly kind: keyof typeof KINDS;
  readonly cell: (row: Row) => Cell;
}

/** Rows of a sheet in Excel, with the headings. Readers skip what follows, or a second sheet. */
export const MAX_SHEET_ROWS = 1_048_576;

/**
 * Writes a spreadsheet (.xlsx) with one sheet and a frozen row of headings. Texts stay texts, whatever they look like, and timestamps
 * become dates that show the local time of the time zone. The stream fails if the rows fail, and then has no end.
 *
 * @throws TooManyRowsError in the stream, if there are more rows than a sheet can hold
 */
export async function spreadsheet<Row>(
  name: string,
  columns: readonly SheetColumn<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  timezone: string,
): Promise<ReadableStream<Uint8Array>> {
  // Loaded only when someone wants a sheet.
  const { writeXlsxStream } = await import('hucre/xlsx');
  const serialOf = serialsIn(timezone);
  async function* cells() {
    for await (const row of atMost(MAX_SHEET_ROWS - 1, rows))
      yield columns.map(({ kind, cell }) => {
        const value = cell(row);
        if (value === undefined || value === '') return null;
        if (typeof value !== 'string') return value;
        return kind === 'time' ? serialOf(value) : escaped(value);
      });
  }
  return writeXlsxStream(cells(), {
    name,
    freezePane: { rows: 1 },
    columns: columns.map(({ heading, kind }) => ({ header: heading, ...KINDS[kind] })),
  });
}

/** The rows, of which there may be this many. */
export async function* atMost<Row>(most: number, rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    if (++count > most)
      throw new TooManyRowsError(
        `A spreadsheet holds ${MAX_SHEET_ROWS.toLocaleString('en')} rows with the headings, and these are more: use CSV`,
      );
    yield row;
  }
}

/** Readers take `_x0041_` in a text for `A`, and some keep a carriage return as `_x000D_`. */
const escaped = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');

const MS_PER_DAY = 86_400_000;
/** The serial number of 1970-01-01: days since 1899-12-30. */
const EPOCH = 25_569;

/** Milliseconds since 1970 during which the offset of a time zone, in milliseconds, does not change. */
interface Stretch {
  readonly since: number;
  readonly until: number;
  readonly offset: number;
}

/** The serial numbers of a spreadsheet for instants: days, and their parts, as the clocks of a time zone show them. */
function serialsIn(timezone: string): (at: string) => number {
  // To ask for the offset of each instant takes longer than everything else.
  const known: Stretch[] = [];
  return (at) => {
    const instant = Date.parse(at);
    let stretch = known.find(({ since, until }) => since <= instant && instant < until);
    if (!stretch) known.push((stretch = stretchAt(instant, timezone)));
    return EPOCH + (instant + stretch.offset) / MS_PER_DAY;
  };
}

function stretchAt(instant: number, timezone: string): Stretch {
  const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  // The transition before an instant is not the one at that instant.
  const since = local.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const until = local.getTimeZoneTransition('next');
  return {
    since: since?.epochMilliseconds ?? -Infinity,
    until: until?.epochMilliseconds ?? Infinity,
    offset: local.offsetNanoseconds / 1e6,
  };
}
