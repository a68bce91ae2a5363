import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@fibre/embedded-postgres';
import type { Agent, Response } from 'supertest';
import { nextOf } from './next-link.js';
import { until } from './until.js';

/** An item of a change feed. */
export interface FeedItem {
  readonly change: string;
  readonly changed_at: string;
  readonly node?: Record<string, string>;
  readonly event?: Record<string, string>;
  readonly line?: Record<string, string>;
}

const [PAUSE_MS, LONGEST_PAUSE_MS] = [50, 1_000];

/** Keeps a copy up to date from a change feed, like a client that only has the `next` link. */
export class Follower {
  /** The records by id. */
  readonly copy = new Map<string, Record<string, string>>();
  /** Every item, in order of arrival. */
  readonly seen: FeedItem[] = [];
  /** The last page that was read. */
  page?: Response;
  private place = '';

  /** @param next where to start */
  constructor(
    private readonly client: Agent,
    private next: string,
  ) {}

  /** Reads a page. @returns its items; none if the copy is up to date */
  async step(client = this.client): Promise<FeedItem[]> {
    this.page = await client.get(this.next);
    // A service may be unavailable for a moment, for example while a shard of a cluster moves.
    for (; this.page.status === 503; this.page = await client.get(this.next)) await sleep(PAUSE_MS);
    if (this.page.status !== 200) throw new Error(`${this.next}: ${this.page.status} ${this.page.text}`);
    const items = this.page.body as FeedItem[];
    for (const item of items) this.take(item);
    const { pathname, search } = nextOf(this.page)!;
    this.next = `${pathname}${search}`;
    return items;
  }

  /** Reads pages until the copy includes every change made before the call. */
  async catchUp(): Promise<FeedItem[]> {
    const [begin, known] = [Date.now(), this.seen.length];
    await until('a feed that shows every change made before', async () => {
      const isEnd = (await this.step()).length === 0;
      const behind = begin - Date.parse(this.page!.headers['x-settled-until'] as string);
      // The settled time follows the present at a distance, so asking earlier is no use.
      if (behind >= 0) await sleep(Math.min(behind, LONGEST_PAUSE_MS));
      return isEnd && behind < 0;
    });
    return this.seen.slice(known);
  }

  private take(item: FeedItem): void {
    const record = item.node ?? item.event ?? item.line!;
    const id = record[item.node ? 'node_id' : item.event ? 'event_id' : 'line_id']!;
    const place = `${item.changed_at} ${id}`;
    if (place <= this.place) throw new Error(`${place} comes after ${this.place}`);
    if (item.change === 'deleted' || item.change === 'ended') this.copy.delete(id);
    else if (record['modified_at']! > item.changed_at)
      throw new Error(`${id} changed at ${record['modified_at']}, after ${item.changed_at}`);
    else this.copy.set(id, record);
    this.place = place;
    this.seen.push(item);
  }
}

/** Lets followers catch up with all that the database has, also with what a killed process has left to it, which it may commit later. */
export async function catchUpWith(databaseUrl: string, followers: readonly Follower[]): Promise<void> {
  const others = `select from pg_stat_activity a where a.datname = current_database() and a.pid <> pg_backend_pid() and a.state <> 'idle'`;
  await until('the end of all transactions', () => withClient(databaseUrl, async (client) => (await client.query(others)).rowCount === 0));
  await Promise.all(followers.map((follower) => follower.catchUp()));
}
