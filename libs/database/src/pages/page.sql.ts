import { raw, type Sql, sql, type Statement, statement } from '../statements/sql.js';

/**
 * Maximum number of bytes in a page, unless a single record is larger. A page that would exceed it has fewer records than requested. It is
 * an array: its records have fewer bytes than this, each with the comma or bracket after it.
 */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Above this number, the total of a listing is an estimate, so that the cost of a page does not depend on the size of the table. */
export const MAX_EXACT_TOTAL = 10_000;

/** A column that orders records. */
export interface OrderColumn {
  readonly column: string;
  readonly type: 'uuid' | 'timestamptz' | 'float8' | 'text';
}

/** The parts of a listing that are needed to count its records. */
export interface CountedListing {
  /** Prefix of its statement names. */
  readonly label: string;
  /** Selects one row per record; empty for a listing that is never counted. */
  readonly rows: Sql;
}

/** A listing whose records are converted to JSON in SQL. */
export interface Listing extends CountedListing {
  /** Selects the first records from a position onwards, in their order. */
  readonly records: (place: RecordsPlace) => Sql;
  /** The columns that order the records, each in the order of the page; together they are unique. */
  readonly order: readonly OrderColumn[];
  /** Alias of the record in {@link json}. */
  readonly alias: string;
  /** SQL expression for the JSON of a record. */
  readonly json: string;
}

/** The order of a listing's ids. */
export type Order = 'asc' | 'desc';

/** Start and size of a page, as SQL expressions. */
export interface RecordsPlace {
  /** Values of the first record in the columns of the order; none for the beginning. */
  readonly from: readonly Sql[];
  readonly limit: Sql;
  readonly order: Order;
}

/** PostgreSQL reads the same index in either order. */
export const orderBy = (columns: readonly string[], order: Order): Sql =>
  raw(columns.map((column) => (order === 'asc' ? column : `${column} desc`)).join(', '));

/** The end of a statement that selects a page by the one column that orders it. The statement has a `where`. */
export const pageBy = (column: string, { from: [first], limit, order }: RecordsPlace): Sql =>
  sql`${first && sql`and ${raw(`${column} ${order === 'asc' ? '>=' : '<='}`)} ${first}`} order by ${orderBy([column], order)} limit ${limit}`;

/** The requested part of a listing. */
export interface PagePlace {
  /** Maximum number of records. */
  readonly size: number;
  /** Values of the first record in the columns of the order; absent for the beginning. */
  readonly from?: readonly unknown[];
  /** Ascending by default. */
  readonly order?: Order;
  /** Records in each row of the result. */
  readonly recordsPerRow?: number;
  /** Bytes that the page already has, from another listing. */
  readonly bytesBefore?: number;
}

/**
 * Records per row of the result. A single text for the whole page would leave several megabyte-sized copies in memory until a full
 * garbage collection.
 */
const RECORDS_PER_ROW = 64;

/**
 * One page: rows with `json` (objects separated by commas, or null), `records` (their number) and, in the first row that has it, the record
 * after the page: `next_` and the name of each column of the order.
 */
export function selectPage(
  { label, records, order: columns, alias, json }: Listing,
  { size, from, order = 'asc', recordsPerRow = RECORDS_PER_ROW, bytesBefore = 0 }: PagePlace,
): Statement {
  const most = sql`${size}::int`;
  const place = { from: from ? columns.map(({ type }, index) => sql`${from[index]}::${raw(type)}`) : [], limit: sql`${most} + 1`, order };
  const columnsOf = (table: string): string[] => columns.map(({ column }) => `${table}.${column}`);
  const next = columns.map(({ column }) => `(array_agg(r.${column} order by r.place) filter (where not r.fits))[1] as next_${column}`);
  const row = raw(`(r.place - 1) / ${recordsPerRow}`);
  const fits =
    bytesBefore === 0 ? sql`(r.place = 1 or r.bytes < ${raw(MAX_PAGE_BYTES)})` : sql`r.bytes < ${MAX_PAGE_BYTES - bytesBefore}::int`;
  // Materialized, so that the JSON is written only once.
  return statement(`${label}-${from ? 'next-page' : 'page'}`)`
    with record as materialized (
      select ${raw(columnsOf(alias).join(', '))}, ${raw(json)} as json
      from (${records(place)}) ${raw(alias)}
    )
    select
      string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
      count(*) filter (where r.fits)::int as records,
      ${raw(next.join(', '))}
    from (
      select r.*, r.place <= ${most} and ${fits} as fits
      from (
        select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
        from record r window page as (order by ${orderBy(columnsOf('r'), order)})
      ) r
    ) r
    group by ${row}
    order by ${row}`;
}

/** Counts the records of a listing, up to one more than `most`, as `total`. */
export const countListing = ({ label, rows }: CountedListing, most = MAX_EXACT_TOTAL): Statement =>
  statement(`${label}-count`)`select count(*)::int as total from (${rows} limit ${raw(most)} + 1) counted`;

/** The planner's estimate of the records in a listing, as `QUERY PLAN`. */
export const estimateListing = ({ label, rows }: CountedListing): Statement =>
  statement(`${label}-estimate`)`explain (format json) ${rows}`;
