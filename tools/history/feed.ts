import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { FibreClient } from '@fibre/client';
import { Follower } from '@fibre/testing';
import request from 'supertest';

const PAUSE_MS = 200;

/** A change feed, and the list that a copy of it must equal. */
export interface Feed {
  readonly path: string;
  readonly list: (client: FibreClient) => AsyncIterable<object>;
  readonly idOf: (record: object) => string;
}

const ALL = { _page_size: 2_000 };
const feed = <Id extends string>(path: string, id: Id, list: Feed['list']): Feed => ({
  path,
  list,
  idOf: (record) => (record as Record<Id, string>)[id],
});
export const NODES = feed('/v2/cov/nodes/changes/', 'node_id', ({ coverage }) => coverage.nodes.list(ALL));
export const EVENTS = feed('/api/v2/sys/events/changes/', 'event_id', ({ events }) => events.list(ALL));
/** The lines of the ISP whose token it is. */
export const LINES = feed('/api/v2/sys/charges/lines/changes/', 'line_id', ({ charges }) => charges.lines({ _page_size: 500 }));

/** Keeps a copy from a change feed while the traffic runs. */
export class CopiedFeed {
  private readonly follower: Follower;
  private readonly over = new AbortController();
  private readonly following: Promise<void>;

  /** @param isOwn whether the owner of the token may see a record */
  constructor(
    private readonly feed: Feed,
    private readonly url: string,
    private readonly token: string,
    private readonly isOwn: (record: Record<string, string>) => boolean = () => true,
  ) {
    this.follower = new Follower(request.agent(url).auth(token, { type: 'bearer' }), feed.path);
    this.following = this.follow();
  }

  /** Catches up and compares. @returns the ids of the records that differ from the list, and of those that somebody else owns */
  async differences(): Promise<string[]> {
    this.over.abort();
    await this.following;
    await this.patiently(() => this.follower.catchUp());
    const { copy, seen } = this.follower;
    const listed = await this.patiently(() => this.readList());
    const foreign = seen.flatMap(({ line }) => (line && !this.isOwn(line) ? this.feed.idOf(line) : []));
    const different = [...copy.keys(), ...listed.keys()].filter((id) => !isDeepStrictEqual(copy.get(id), listed.get(id)));
    return [...new Set([...foreign, ...different])];
  }

  private async follow(): Promise<void> {
    while (!this.over.signal.aborted) {
      await this.patiently(() => this.follower.step());
      await sleep(PAUSE_MS);
    }
  }

  /** Repeats what fails because the service or its database is away. A record that comes in the wrong order is a fault of the feed. */
  private async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let attempts = 0; ; attempts++) {
      try {
        return await work();
      } catch (error) {
        if (attempts > 300 || /comes after|changed at/.test(String(error))) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  private async readList(): Promise<Map<string, object>> {
    const client = new FibreClient({ coverageUrl: this.url, eventsUrl: this.url, token: () => Promise.resolve(this.token) });
    const records = new Map<string, object>();
    for await (const record of this.feed.list(client)) records.set(this.feed.idOf(record), record);
    return records;
  }
}
