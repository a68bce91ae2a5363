import { Deadline } from '../connection/deadline.js';
import type { Limit } from '../limits/limit.js';
import type { Run } from '../statements/sql.js';
import {
  type CountedListing,
  countListing,
  estimateListing,
  type Listing,
  MAX_EXACT_TOTAL,
  type Order,
  type PagePlace,
  selectPage,
} from './page.sql.js';

/** Pages with more records than this are large. */
const LARGE_PAGE = 500;
/** What runs the statements: a `Database`. */
export interface Runner {
  readonly run: Run;
  readonly largePages: Limit;
}

/** Reads a page; a large page waits for its client's turn. */
export const inTurnIfLarge = <T>({ largePages }: Runner, size: number, read: () => Promise<T>): Promise<T> =>
  size > LARGE_PAGE ? largePages.run(Deadline.current?.client ?? '', read) : read();

/** Records of a listing, as PostgreSQL wrote them. */
export interface PageOfRecords {
  /** JSON objects separated by commas; put a comma between the texts too. */
  readonly json: readonly string[];
  /** Number of these records. */
  readonly records: number;
  /** Values of the record after the last record of this page, in the columns of the order; absent on the last page. */
  readonly next?: readonly unknown[];
}

/** Reads one page of a listing. */
export async function readFrom(database: Runner, listing: Listing, place: PagePlace): Promise<PageOfRecords> {
  const read = () => database.run<Record<string, unknown> & { json: string | null; records: number }>(selectPage(listing, place));
  const rows = await inTurnIfLarge(database, place.size, read);
  const columns = listing.order.map(({ column }) => `next_${column}`);
  const next = rows.find((row) => row[columns[0]!] !== null);
  return {
    json: rows.flatMap((row) => row.json ?? []),
    records: rows.reduce((sum, row) => sum + row.records, 0),
    next: next && columns.map((column) => next[column]),
  };
}

/** A page of a listing that an id orders. */
export interface PageById {
  readonly json: readonly string[];
  /** Id of the record after the last record of this page; absent on the last page. */
  readonly nextId?: string;
  /** Number of records in the whole listing; only counted for its first page. */
  readonly total?: number;
}

/** The requested part of a listing that an id orders. */
export interface PlaceById {
  readonly size: number;
  readonly from?: string;
  /** Ascending by default. */
  readonly order?: Order;
}

/** Reads one page of a listing that an id orders, and counts the listing with its first page. */
export async function readListing(database: Runner, listing: Listing, { size, from, order }: PlaceById): Promise<PageById> {
  const { json, records, next } = await readFrom(database, listing, { size, order, from: from === undefined ? undefined : [from] });
  const nextId = next?.[0] as string | undefined;
  if (from !== undefined) return { json, nextId };
  // If the listing fits on one page, its total is already known.
  return { json, nextId, total: next ? (await countRecords(database, listing)).count : records };
}

/** A number of records. */
export interface Count {
  readonly count: number;
  /** Set if the records were too many to be counted. */
  readonly estimated?: true;
  /** Set if the planner's statistics do not know all of the counted ones yet, so there may be many more. */
  readonly at_least?: true;
}

/** The number of records of a listing: exact up to `most`, and above that the planner's estimate. */
export async function countRecords(database: Runner, listing: CountedListing, most = MAX_EXACT_TOTAL): Promise<Count> {
  const [row] = await database.run<{ total: number }>(countListing(listing, most));
  const { total } = row!;
  if (total <= most) return { count: total };
  const estimate = await estimateRecords(database, listing);
  return estimate > total ? { count: estimate, estimated: true } : { count: total, estimated: true, at_least: true };
}

/** The planner's estimate of the records in a listing that is too long to count. */
export async function estimateRecords(database: Runner, listing: CountedListing): Promise<number> {
  const [row] = await database.run<{ 'QUERY PLAN': [Explained] }>(estimateListing(listing));
  return Math.round(rowsOf(row!['QUERY PLAN'][0]));
}

/** Result of `explain (format json)`. */
interface Explained {
  readonly Plan: {
    readonly 'Plan Rows': number;
    /** The plans on Citus, which puts a constant into `Plan Rows` and shows the plan of one shard. */
    readonly 'Distributed Query'?: {
      readonly Job: { readonly 'Task Count': number; readonly Tasks: { readonly 'Remote Plan': [[Explained]] }[] };
    };
  };
}

function rowsOf({ Plan: { 'Plan Rows': rows, 'Distributed Query': distributed } }: Explained): number {
  const [task] = distributed?.Job.Tasks ?? [];
  return task ? rowsOf(task['Remote Plan'][0][0]) * distributed!.Job['Task Count'] : rows;
}
