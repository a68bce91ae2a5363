import { type Database, type Listing, readFrom, type Sql } from '@fibre/database';
import { formatTimestamp } from '@fibre/dto';
import { Cursor, listingDigest, type Page, type PageRequest, type PageRows, readPage } from '@fibre/pagination';
import { Problem } from '@fibre/problems';
import type { ChangesQuery } from './changes.requests.js';
import { type SettledTime } from '@fibre/settled-time';

/** The header with the instant up to which a page is complete. */
export const SETTLED_UNTIL = 'x-settled-until';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Milliseconds of the latest `since`. */
const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Sorts before every id. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** A change in a feed. */
export interface Change {
  /** `upserted`, `deleted`, `created`, `overwritten` or `ended`. */
  readonly change: string;
  /** Timestamp in the format of the APIs. */
  readonly changed_at: string;
  /** Id of the node, event or line. */
  readonly id: string;
  /** The whole item as JSON text, exactly as in its listing. */
  readonly json: string;
}

/** Some changes in order, and the position after them. */
export interface ChangePage {
  readonly items: readonly Change[];
  /** The position after the items, even if there are no items: an opaque text of at most 56 characters. */
  readonly next: string;
  /** Everything that changed before this instant is on an earlier page, among the items, or after `next`. */
  readonly settledUntil: Date;
  /** Whether there are no more settled changes. */
  readonly isEnd: boolean;
}

/** Tenant and namespace of a feed. */
export interface FeedOwner {
  /** Ignored by a feed that all tenants share. */
  readonly tenant: string;
  /** The name that clients use; absent for production. */
  readonly namespace?: string;
}

/** Injection token of a service's feeds by name: `ReadonlyMap<string, ListedFeed>`. */
export const CHANGE_FEEDS = Symbol('CHANGE_FEEDS');

/** A reader's position. */
interface Position {
  /** Milliseconds. The reader has everything that changed earlier, ... */
  readonly time: number;
  /** ... and everything that changed at that time and has a lower id. */
  readonly id: string;
  /** Milliseconds. The reader does not need earlier deletions, because it has never seen the deleted nodes. */
  readonly deletionsFrom: number;
}

/** A service's definition of a feed. */
export interface FeedSource {
  /** Name of the listing in cursors; includes the tenant if each tenant has its own feed. */
  readonly nameOf: (owner: FeedOwner) => string;
  /** The member of an item that contains the record, such as `node`; the record's id is then `node_id`. */
  readonly record: string;
  /** Days for which deletions are kept; absent if nothing is deleted. */
  readonly retentionDays?: number;
  /**
   * A write that gives what announced transactions have written its place in the feed, once it is visible; absent if there are none. Every
   * reader runs it first, so nothing stays without a place. Not for Citus.
   */
  readonly publish?: Sql;
  /** The changes before an instant, ordered by time and id; no deletions before `deletionsFrom`. */
  readonly listing: (owner: FeedOwner, filters: object, settled: Date, deletionsFrom: Date) => Listing | Promise<Listing>;
}

/** A change feed up to {@link SettledTime}, so that readers miss nothing. */
export class ListedFeed {
  constructor(
    private readonly database: Database,
    private readonly settled: SettledTime,
    private readonly source: FeedSource,
  ) {}

  /** The position from which a reader gets the changes since a time; for the current time, only later changes. */
  startingAt(since: Date): string {
    return cursorAt(beginningAt(since.getTime())).toString();
  }

  /**
   * Reads changes from a position.
   *
   * @param position from `startingAt`, or the `next` of a page
   * @throws Problem 410 `changes-gone` if deletions after the position have been removed, 503
   */
  async read(owner: FeedOwner, filters: Readonly<Record<string, string>>, position: string, limit: number): Promise<ChangePage> {
    const cursor = Cursor.parse(position);
    if (!cursor) throw new Error(`${position} is not a position in a feed`);
    const { json, next, settled, isEnd } = await this.page(owner, filters, positionOf(cursor), { size: limit, recordsPerRow: 1 });
    return { items: json.map((text) => this.itemOf(text)), next: cursorAt(next).toString(), settledUntil: settled, isEnd };
  }

  /**
   * Reads the page that a client asked for.
   *
   * @throws Problem 410 `changes-gone`, 422 if the cursor belongs to another listing, 503
   */
  list(owner: FeedOwner, query: ChangesQuery): Promise<Page> {
    const { _page_size, _page_cursor, since, ...filters } = query;
    const begin = since && beginningAt(since.instant.epochMilliseconds);
    const read = async ({ size }: PageRequest): Promise<PageRows> => {
      const { json, next, settled } = await this.page(owner, filters, _page_cursor ? positionOf(_page_cursor) : begin, { size });
      const headers = { [SETTLED_UNTIL]: formatTimestamp(settled) };
      return { json, nextId: next.id, carried: [next.time, next.deletionsFrom], total: null, headers };
    };
    return readPage(query, this.source.nameOf(owner), filters, read, [MAX_TIME, MAX_TIME]);
  }

  private async page(
    owner: FeedOwner,
    filters: object,
    asked: Position | undefined,
    { size, recordsPerRow }: { size: number; recordsPerRow?: number },
  ) {
    // The settled time must be read before the changes: see SettledTime.
    const settled = await this.settled.now(this.source.publish);
    const position = asked ?? { time: 0, id: LEAST_ID, deletionsFrom: settled.getTime() };
    const { time, id, deletionsFrom } = position;
    const { retentionDays } = this.source;
    if (retentionDays !== undefined && Math.max(time, deletionsFrom) < settled.getTime() - retentionDays * DAY_MS)
      throw changesGone(retentionDays);
    const listing = await this.source.listing(owner, filters, settled, new Date(Math.max(time, deletionsFrom)));
    const { json, next: after } = await readFrom(this.database, listing, { size, from: [new Date(time), id], recordsPerRow });
    const end = settled.getTime() > time ? { ...position, time: settled.getTime(), id: LEAST_ID } : position;
    if (!after) return { json, next: end, settled, isEnd: true };
    const [nextTime, nextId] = after as [Date, string];
    return { json, next: { ...position, time: nextTime.getTime(), id: nextId }, settled, isEnd: false };
  }

  private itemOf(json: string): Change {
    const item = JSON.parse(json) as { change: string; changed_at: string } & Record<string, Record<string, string>>;
    const { record } = this.source;
    return { json, change: item.change, changed_at: item.changed_at, id: item[record]![`${record}_id`]! };
  }
}

/** Nothing changed before 1970. */
function beginningAt(sinceMs: number): Position {
  const time = Math.max(0, sinceMs);
  return { time, id: LEAST_ID, deletionsFrom: time };
}

const cursorAt = ({ time, id, deletionsFrom }: Position): Cursor => new Cursor(id, 0, listingDigest('', {}), [time, deletionsFrom]);

const positionOf = ({ from, carried: [time = 0, deletionsFrom = 0] }: Cursor): Position => ({ time, id: from, deletionsFrom });

/** Deletions after the reader's place have been removed. */
const changesGone = (retentionDays: number): Problem =>
  new Problem(410, 'changes-gone', 'The changes are no longer available', {
    detail: `Deletions are kept for ${retentionDays} days, and this position in the feed is older.`,
    hint: 'Start again without the parameters _page_cursor and since, and replace your copy.',
  });
