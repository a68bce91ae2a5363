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

/** Pages of more records than this count as large. */
const LARGE_PAGE = 500;
/** A large page needs several times its bytes in memory while it comes in, and is soon done: a few at once suffice. */
const LARGE_PAGES_AT_ONCE = 4;
/** How long counting the total of a listing may take, judged by how long its first records took. */
const MAX_COUNT_MS = 100;
/** Up to so many records, by estimate, all servers of a cluster count one by one. */
const COUNTED_ON_CLUSTER = 1_000_000;
const inTurn = pLimit(LARGE_PAGES_AT_ONCE);

/** What statements are run by: a `Database`. */
export interface Runner {
  readonly run: Run;
}

/** Reads a page; a large one when there is a place for it. */
export const inTurnIfLarge = <T>(size: number, read: () => Promise<T>): Promise<T> =>
  size > LARGE_PAGE ? withinDeadline(inTurn(read)) : read();

/** Records of a listing, as PostgreSQL wrote them. */
export interface PageOfRecords {
  /** Texts of JSON objects with commas between them, and to be put between the texts. */
  readonly json: readonly string[];
  /** Key of the record after the last one; absent on the last page. */
  readonly nextId?: string;
  /** Records in the whole listing; only counted with its first page. */
  readonly total?: number;
}

/** Reads one page of a listing. */
export async function readListing(database: Runner, listing: Listing, place: PagePlace): Promise<PageOfRecords> {
  const read = () => database.run<{ json: string; records: number; next_id: string | null }>(selectPage(listing, place));
  const rows = await inTurnIfLarge(place.size, read);
  const [json, nextId] = [rows.map((row) => row.json), rows[0]?.next_id ?? undefined];
  if (place.from !== undefined) return { json, nextId };
  // A listing of one page is counted already.
  const total = nextId === undefined ? rows.reduce((sum, { records }) => sum + records, 0) : await countInTime(database, listing);
  return { json, nextId, total };
}

/** As {@link countRecords}, but of more than {@link MIN_EXACT_TOTAL} only as many exactly as are counted in {@link MAX_COUNT_MS}. */
export async function countInTime(database: Runner, listing: CountedListing): Promise<number> {
  if (listing.isDistributed) return countOnCluster(database, listing);
  const begin = performance.now();
  const first = await count(database, listing, MIN_EXACT_TOTAL);
  if (first <= MIN_EXACT_TOTAL) return first;
  const inTime = Math.floor((MIN_EXACT_TOTAL * MAX_COUNT_MS) / (performance.now() - begin));
  const limit = Math.min(MAX_EXACT_TOTAL, inTime);
  const counted = limit > MIN_EXACT_TOTAL ? await count(database, listing, limit) : first;
  return counted <= limit ? counted : Math.max(counted, await estimateRecords(database, listing));
}

/** How many records a listing has: exactly, or by the estimate of the planner where they are too many to count. */
export async function countRecords(database: Runner, listing: CountedListing): Promise<number> {
  if (listing.isDistributed) return countOnCluster(database, listing);
  const counted = await count(database, listing, MAX_EXACT_TOTAL);
  return counted <= MAX_EXACT_TOTAL ? counted : Math.max(counted, await estimateRecords(database, listing));
}

/** On a cluster a count without a limit moves no rows, but its time grows with the table; so the estimate says whether to. */
async function countOnCluster(database: Runner, listing: CountedListing): Promise<number> {
  const estimated = await estimateRecords(database, listing);
  if (estimated <= COUNTED_ON_CLUSTER) return count(database, listing);
  const counted = await count(database, listing, MIN_EXACT_TOTAL);
  return counted <= MIN_EXACT_TOTAL ? counted : Math.max(counted, estimated);
}

async function count(database: Runner, listing: CountedListing, limit?: number): Promise<number> {
  const [row] = await database.run<{ total: number }>(countListing(listing, limit));
  return row!.total;
}

/** What the planner thinks a listing has: for one that is too long to be counted. */
export async function estimateRecords(database: Runner, listing: CountedListing): Promise<number> {
  const [row] = await database.run<{ 'QUERY PLAN': [Explained] }>(estimateListing(listing));
  return Math.round(rowsOf(row!['QUERY PLAN'][0]));
}

/** What `explain (format json)` says. */
interface Explained {
  readonly Plan: {
    readonly 'Plan Rows': number;
    /** On Citus, which puts a constant into `Plan Rows` and shows the plan of one of the shards. */
    readonly 'Distributed Query'?: {
      readonly Job: { readonly 'Task Count': number; readonly Tasks: { readonly 'Remote Plan': [[Explained]] }[] };
    };
  };
}

function rowsOf({ Plan: { 'Plan Rows': rows, 'Distributed Query': distributed } }: Explained): number {
  const [task] = distributed?.Job.Tasks ?? [];
  return task ? rowsOf(task['Remote Plan'][0][0]) * distributed!.Job['Task Count'] : rows;
}
