import { given, raw, type Sql, sql, statement } from '../statements/sql.js';
import type { Statement } from '../statements/statement.js';

/** Maximum number of bytes in a page, unless a single record is larger. A page that would exceed it has fewer records than requested. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Above this number, the total of a listing is an estimate, so that the cost of a page does not depend on the size of the table. */
export const MAX_EXACT_TOTAL = 100_000;
/** Up to this number, the total is always exact. */
export const MIN_EXACT_TOTAL = 10_000;

/** A listing whose records are converted to JSON in SQL. */
export interface Listing {
  /** Prefix of its statement names. */
  readonly label: string;
  /** Selects the first records from a position onwards, in ascending order of the key. */
  readonly records: (place: RecordsPlace) => Sql;
  /** Selects one row per record; empty for a listing that is never counted. */
  readonly rows: Sql;
  /** The column that orders the records: a unique UUID. */
  readonly key: string;
  /** A timestamp column that orders the records before the key. */
  readonly time?: string;
  /** Whether the rows are spread over several servers. In a count with a limit, each server would send up to that many rows. */
  readonly isDistributed?: boolean;
  /** Alias of the record in {@link json}. */
  readonly alias: string;
  /** SQL expression for the JSON of a record. */
  readonly json: string;
}

/** The parts of a listing that are needed to count its records. */
export type CountedListing = Pick<Listing, 'label' | 'rows' | 'isDistributed'>;

/** Start and size of a page, as SQL expressions. */
export interface RecordsPlace {
  /** Key of the first record; absent for the beginning. */
  readonly from?: Sql;
  /** Time of that record, in a listing with a time. */
  readonly time?: Sql;
  readonly limit: Sql;
}

/** The requested part of a listing. */
export interface PagePlace {
  /** Maximum number of records. */
  readonly size: number;
  /** Key of the first record; absent for the beginning. */
  readonly from?: string;
  /** Time of that record, in a listing with a time. */
  readonly time?: Date;
  /** Records in each row of the result. */
  readonly recordsPerRow?: number;
}

/**
 * Records per row of the result. A single text for the whole page would leave several megabyte-sized copies in memory until a full
 * garbage collection.
 */
const RECORDS_PER_ROW = 64;

/**
 * One page: rows with `json` (objects separated by commas, or null), `records` (their number), `next_id` (the key of the record after the
 * page, in the first row that has one) and, if the listing has a `time`, `next_time`.
 */
export function selectPage(
  { label, records, key, time, alias, json }: Listing,
  { size, from, time: fromTime, recordsPerRow = RECORDS_PER_ROW }: PagePlace,
): Statement {
  const most = sql`${size}::int`;
  const place: RecordsPlace = {
    from: given(from, (id) => sql`${id}::uuid`),
    time: given(fromTime, (at) => sql`${at}::timestamptz`),
    limit: sql`${most} + 1`,
  };
  const columns = time === undefined ? [key] : [time, key];
  const columnsOf = (table: string): Sql => raw(columns.map((column) => `${table}.${column}`).join(', '));
  const next = (column: string): Sql => raw(`(array_agg(r.${column} order by r.place) filter (where not r.fits))[1]`);
  const row = raw(`(r.place - 1) / ${recordsPerRow}`);
  // Materialized, so that the JSON is written only once.
  return statement(
    `${label}-${from === undefined ? 'page' : 'next-page'}`,
    sql`
    with record as materialized (
      select ${columnsOf(alias)}, ${raw(json)} as json
      from (${records(place)}) ${raw(alias)}
    )
    select
      string_agg(r.json, ',' order by r.place) filter (where r.fits) as json,
      count(*) filter (where r.fits)::int as records,
      ${next(key)} as next_id${time === undefined ? undefined : sql`, ${next(time)} as next_time`}
    from (
      select r.*, r.place <= ${most} and (r.place = 1 or r.bytes < ${raw(MAX_PAGE_BYTES)}) as fits
      from (
        select r.*, row_number() over page as place, sum(octet_length(r.json) + 1) over page as bytes
        from record r window page as (order by ${columnsOf('r')})
      ) r
    ) r
    group by ${row}
    order by ${row}`,
  );
}

/** Counts the records of a listing, up to `limit` + 1, as `total`. */
export const countListing = ({ label, rows }: CountedListing, limit?: number): Statement =>
  limit === undefined
    ? statement(`${label}-count-all`, sql`select count(*)::int as total from (${rows}) counted`)
    : statement(`${label}-count`, sql`select count(*)::int as total from (${rows} limit ${limit + 1}::int) counted`);

/** The planner's estimate of the records in a listing, as `QUERY PLAN`. */
export const estimateListing = ({ label, rows }: CountedListing): Statement =>
  statement(`${label}-estimate`, sql`explain (format json) ${rows}`);
