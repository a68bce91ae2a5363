import { jsonObjectBytes, jsonObjectText, type JsonMember, type TextBytes } from './json-text.sql.js';
import { statementOf, type Statement } from '../statements/statement.js';

/** A page has no more bytes than this, unless a single record does: it then has fewer records than were asked for. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** Above this many the total of a listing is an estimate, so that no page pays for the size of the table. */
export const MAX_EXACT_TOTAL = 100_000;
/** Up to this many it is exact, whatever it costs. */
export const MIN_EXACT_TOTAL = 10_000;

/** Records that are read page by page. */
export interface Listing {
  /** Begins the names of its statements. */
  readonly label: string;
  /** What the filters bind: `$1` and so on. */
  readonly values: readonly unknown[];
  /** `select` of the first records from a place on, whole and in ascending order of the key. */
  readonly records: (place: RecordsPlace) => string;
  /** `select` of as many rows as there are records. */
  readonly rows: string;
  /** The column that orders the records, a UUID and unique. */
  readonly key: string;
  /** Whether its rows lie on several servers, which would all send as many as the limit of a count. */
  readonly isDistributed?: boolean;
  /** What the record is called in {@link members}. */
  readonly alias: string;
  readonly members: readonly JsonMember[];
}

/** What counting a listing needs of it. */
export type CountedListing = Pick<Listing, 'label' | 'values' | 'rows' | 'isDistributed'>;

/** From which record on, and how many: SQL expressions. */
export interface RecordsPlace {
  /** Key of the first one; absent for the beginning. */
  readonly from?: string;
  readonly limit: string;
}

/** Which part of a listing. */
export interface PagePlace {
  /** Most records. */
  readonly size: number;
  /** Key of the first record; absent for the beginning. */
  readonly from?: string;
}

/**
 * Records of a page that come in one row. One text of all of them is a megabyte, several times over on its way, which only a full collection
 * of garbage finds again.
 */
const RECORDS_PER_ROW = 64;

/** One page: rows of `json`, objects with commas between them, `records` in it, and in each `next_id`, the key of the record after the page. */
export function selectPage({ label, values, records, key, alias, members }: Listing, { size, from }: PagePlace): Statement {
  const $size = `$${values.length + 1}::int`;
  const $from = from === undefined ? undefined : `$${values.length + 2}::uuid`;
  const order = `order by ${alias}.${key}`;
  const bytes = (textBytes: TextBytes): string => jsonObjectBytes(members, textBytes);
  // An ordinary page is only asked whether it could be too large at all, by lengths that PostgreSQL knows without reading
  // the values. Where it could be, only records are measured that could be on it, so nothing is written just to be dropped.
  const text = `
    with page as materialized (${records({ from: $from, limit: `${$size} + 1` })}),
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
      string_agg(${jsonObjectText(members)}, ',' ${order}) as json,
      count(*)::int as records,
      (select p.${key} from page p order by p.${key} offset (select f.records from fitting f) limit 1) as next_id
    from (
      select p.*, (row_number() over (order by p.${key}) - 1) / ${RECORDS_PER_ROW} as row_of_page
      from page p order by p.${key} limit (select f.records from fitting f)
    ) ${alias}
    group by ${alias}.row_of_page
    order by ${alias}.row_of_page`;
  return statementOf(`${label}-${from === undefined ? 'page' : 'next-page'}`, text, [
    ...values,
    size,
    ...(from === undefined ? [] : [from]),
  ]);
}

/** Counts a listing, at most up to one more than `limit`: `total`. */
export const countListing = ({ label, values, rows }: CountedListing, limit?: number): Statement =>
  limit === undefined
    ? statementOf(`${label}-count-all`, `select count(*)::int as total from (${rows}) counted`, [...values])
    : statementOf(`${label}-count`, `select count(*)::int as total from (${rows} limit $${values.length + 1}::int) counted`, [
        ...[...values, limit + 1],
      ]);

/** What the planner thinks a listing has: `QUERY PLAN`. */
export const estimateListing = ({ label, values, rows }: CountedListing): Statement =>
  statementOf(`${label}-estimate`, `explain (format json) ${rows}`, [...values]);
