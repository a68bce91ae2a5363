import pLimit from 'p-limit';
import { withinDeadline } from '../connection/deadline.js';
import type { Run } from '../statements/statement.js';
import {
  type CountedListing,
  countListing,
  estimateListing,
  type Listing,
  MAX_EXACT_TOTAL,
  MIN_EXACT_TOTAL,
  type PagePlace,
  selectPage,
} from './page.sql.js';

/** Pages with more records than this are large. */
const LARGE_PAGE = 500;
/** A large page needs several times its size in memory, but only briefly, so reading a few at once is enough. */
const LARGE_PAGES_AT_ONCE = 4;
/** How long counting a listing may take; the service estimates this from the time it took to count the first records. */
const MAX_COUNT_MS = 100;
/** If the estimate is not higher than this, the servers of a cluster count every record. */
const COUNTED_ON_CLUSTER = 1_000_000;
const inTurn = pLimit(LARGE_PAGES_AT_ONCE);

/** What runs the statements: a `Database`. */
export interface Runner {
  readonly run: Run;
}

/** Reads a page; a large page waits its turn. */
export const inTurnIfLarge = <T>(size: number, read: () => Promise<T>): Promise<T> =>
  size > LARGE_PAGE ? withinDeadline(inTurn(read)) : read();

/** Records of a listing, as PostgreSQL wrote them. */
export interface PageOfRecords {
  /** JSON objects separated by commas; put a comma between the texts too. */
  readonly json: readonly string[];
  /** Key of the record after the last record of this page; absent on the last page. */
  readonly nextId?: string;
  /** Time of that record, in a listing with a time. */
  readonly nextTime?: Date;
  /** Number of records in the whole listing; only counted for its first page. */
  readonly total?: number;
}

interface PageRow {
  readonly json: string | null;
  readonly records: number;
  readonly next_id: string | null;
  readonly next_time?: Date;
}

/** Reads one page of a listing. */
export async function readListing(database: Runner, listing: Listing, place: PagePlace): Promise<PageOfRecords> {
  const read = () => database.run<PageRow>(selectPage(listing, place));
  const rows = await inTurnIfLarge(place.size, read);
  const json = rows.flatMap((row) => row.json ?? []);
  const next = rows.find((row) => row.next_id !== null);
  const [nextId, nextTime] = [next?.next_id ?? undefined, next?.next_time];
  if (place.from !== undefined) return { json, nextId, nextTime };
  // If the listing fits on one page, its total is already known.
  const total = nextId === undefined ? rows.reduce((sum, { records }) => sum + records, 0) : (await countInTime(database, listing)).count;
  return { json, nextId, total };
}

/** A number of records. */
export interface Count {
  readonly count: number;
  /** Set if the records were too many to be counted in time. */
  readonly estimated?: true;
}

/**
 * The number of records of a listing: exact up to {@link MIN_EXACT_TOTAL}, and above that as far as the records can be counted within
 * {@link MAX_COUNT_MS}; otherwise the planner's estimate.
 */
export async function countInTime(database: Runner, listing: CountedListing): Promise<Count> {
  if (listing.isDistributed) return countOnCluster(database, listing);
  const begin = performance.now();
  const first = await count(database, listing, MIN_EXACT_TOTAL);
  if (first <= MIN_EXACT_TOTAL) return { count: first };
  const inTime = Math.floor((MIN_EXACT_TOTAL * MAX_COUNT_MS) / (performance.now() - begin));
  const limit = Math.min(MAX_EXACT_TOTAL, inTime);
  const counted = limit > MIN_EXACT_TOTAL ? await count(database, listing, limit) : first;
  if (counted <= limit) return { count: counted };
  return { count: Math.max(counted, await estimateRecords(database, listing)), estimated: true };
}

/**
 * On a cluster, a count without a limit moves no rows, but takes longer the larger the table is; the estimate decides whether every record
 * is counted.
 */
async function countOnCluster(database: Runner, listing: CountedListing): Promise<Count> {
  const estimated = await estimateRecords(database, listing);
  if (estimated <= COUNTED_ON_CLUSTER) return { count: await count(database, listing) };
  const counted = await count(database, listing, MIN_EXACT_TOTAL);
  return counted <= MIN_EXACT_TOTAL ? { count: counted } : { count: Math.max(counted, estimated), estimated: true };
}

async function count(database: Runner, listing: CountedListing, limit?: number): Promise<number> {
  const [row] = await database.run<{ total: number }>(countListing(listing, limit));
  return row!.total;
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
