import { jsonObjectBytes, jsonObjectText, type JsonMember, type TextBytes } from './json-text.sql.js';
import { statementOf, type Statement } from '../statements/statement.js';

/** Most bytes of a page, unless a single record is larger. A page that would exceed it has fewer records than requested. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Above this number the total of a listing is an estimate, so that no page pays for the size of the table. */
export const MAX_EXACT_TOTAL = 100_000;
/** Up to this number the total is always exact. */
export const MIN_EXACT_TOTAL = 10_000;

/** A listing whose records SQL writes as JSON. */
export interface Listing {
  /** Prefix of its statement names. */
  readonly label: string;
  /** Values of the filters: `$1` and so on. */
  readonly values: readonly unknown[];
  /** `select` of the first records from a position, in ascending order of the key. */
  readonly records: (place: RecordsPlace) => string;
  /** `select` of one row per record; empty for a listing that is never counted. */
  readonly rows: string;
  /** The column that orders the records: a unique UUID. */
  readonly key: string;
  /** A timestamp column that orders the records before the key. */
  readonly time?: string;
  /** Whether its rows are on several servers, which would each send as many as the limit of a count. */
  readonly isDistributed?: boolean;
  /** Alias of the record in {@link members}. */
  readonly alias: string;
  readonly members: readonly JsonMember[];
  /** SQL expression for the JSON of a record; an object of the members by default. */
  readonly json?: string;
}

/** What counting a listing needs. */
export type CountedListing = Pick<Listing, 'label' | 'values' | 'rows' | 'isDistributed'>;

/** Start and size of a page, as SQL expressions. */
export interface RecordsPlace {
  /** Key of the first record; absent for the beginning. */
  readonly from?: string;
  /** Time of that record, in a listing with a time. */
  readonly time?: string;
  readonly limit: string;
}

/** The requested part of a listing. */
export interface PagePlace {
  /** Most records. */
  readonly size: number;
  /** Key of the first record; absent for the beginning. */
  readonly from?: string;
  /** Time of that record, in a listing with a time. */
  readonly time?: Date;
  /** Records in each row of the result. */
  readonly recordsPerRow?: number;
}

/** Records per row of the result. A single text of a whole page would be several copies of a megabyte that only a full garbage collection frees. */
const RECORDS_PER_ROW = 64;

/**
 * One page: rows with `json` (objects separated by commas), `records` (their number), `next_id` (the key of the record after the page) and, if the
 * listing has a `time`, `next_time`.
 */
export function selectPage(
  { label, values, records, key, time, alias, members, json = jsonObjectText(members) }: Listing,
  { size, from, time: fromTime, recordsPerRow = RECORDS_PER_ROW }: PagePlace,
): Statement {
  const bound: unknown[] = [...values];
  const bind = (value: unknown, type: string): string => `$${bound.push(value)}::${type}`;
  const $size = bind(size, 'int');
  const $from = from === undefined ? undefined : bind(from, 'uuid');
  const $time = fromTime === undefined ? undefined : bind(fromTime, 'timestamptz');
  const columns = time === undefined ? [key] : [time, key];
  const orderOf = (name: string): string => `order by ${columns.map((column) => `${name}.${column}`).join(', ')}`;
  const order = orderOf(alias);
  const next = (column: string): string =>
    `(select p.${column} from page p ${orderOf('p')} offset (select f.records from fitting f) limit 1)`;
  const bytes = (textBytes: TextBytes): string => jsonObjectBytes(members, textBytes);
  // An ordinary page is only checked for whether it could be too large, by lengths that PostgreSQL knows without reading
  // the values. If it could, only the records that may be on it are measured, so that no JSON is written and dropped.
  const text = `
    with page as materialized (${records({ from: $from, time: $time, limit: `${$size} + 1` })}),
    fitting as materialized (
      select case when sum(${bytes('most')}) <= ${MAX_PAGE_BYTES} then ${$size} else least(${$size}, greatest(1, (
        select count(*) from (
          select sum(${bytes('exact')}) over (${order}) as bytes
          from (select ${alias}.*, sum(${bytes('least')}) over (${order}) as least_bytes from page ${alias}) ${alias}
          where ${alias}.least_bytes <= ${MAX_PAGE_BYTES}
        ) measured where measured.bytes <= ${MAX_PAGE_BYTES}
      ))) end as records
      from page ${alias}
    )
    select
      string_agg(${json}, ',' ${order}) as json,
      count(*)::int as records,
      ${next(key)} as next_id${time === undefined ? '' : `, ${next(time)} as next_time`}
    from (
      select p.*, (row_number() over (${orderOf('p')}) - 1) / ${recordsPerRow} as row_of_page
      from page p ${orderOf('p')} limit (select f.records from fitting f)
    ) ${alias}
    group by ${alias}.row_of_page
    order by ${alias}.row_of_page`;
  return statementOf(`${label}-${from === undefined ? 'page' : 'next-page'}`, text, bound);
}

/** Counts a listing, up to `limit` + 1: `total`. */
export const countListing = ({ label, values, rows }: CountedListing, limit?: number): Statement =>
  limit === undefined
    ? statementOf(`${label}-count-all`, `select count(*)::int as total from (${rows}) counted`, [...values])
    : statementOf(`${label}-count`, `select count(*)::int as total from (${rows} limit $${values.length + 1}::int) counted`, [
        ...[...values, limit + 1],
      ]);

/** The planner's estimate for a listing: `QUERY PLAN`. */
export const estimateListing = ({ label, values, rows }: CountedListing): Statement =>
  statementOf(`${label}-estimate`, `explain (format json) ${rows}`, [...values]);
