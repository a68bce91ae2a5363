import pLimit from 'p-limit';
import type { Database } from './database.js';
import { withinDeadline } from './deadline.js';
import { countListing, estimateListing, type Listing, MAX_EXACT_TOTAL, type PagePlace, selectPage } from './page.sql.js';

/** Pages of more records than this count as large. */
const LARGE_PAGE = 500;
/** A large page takes some of its {@link MAX_PAGE_BYTES} several times while it comes in, and is a short work: a few at once suffice. */
const LARGE_PAGES_AT_ONCE = 4;
const inTurn = pLimit(LARGE_PAGES_AT_ONCE);

/** Records of a listing, as PostgreSQL wrote them. */
export interface PageOfRecords {
  /** Text of a JSON array. */
  readonly json: string;
  /** Key of the record after the last one; absent on the last page. */
  readonly nextId?: string;
  /** Records in the whole listing; only counted with its first page. */
  readonly total?: number;
}

/** Reads one page of a listing, on the read replica if there is one. */
export async function readListing(database: Database, listing: Listing, place: PagePlace): Promise<PageOfRecords> {
  const read = () => database.read<{ json: string; next_id: string | null }>(selectPage(listing, place));
  const [row] = await (place.size > LARGE_PAGE ? withinDeadline(inTurn(read)) : read());
  const { json, next_id } = row!;
  return { json, nextId: next_id ?? undefined, total: place.from === undefined ? await countRecords(database, listing) : undefined };
}

async function countRecords(database: Database, listing: Listing): Promise<number> {
  const [counted] = await database.read<{ total: number }>(countListing(listing));
  if (counted!.total <= MAX_EXACT_TOTAL) return counted!.total;
  const [estimated] = await database.read<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(estimateListing(listing));
  return Math.max(counted!.total, Math.round(estimated!['QUERY PLAN'][0].Plan['Plan Rows']));
}
