import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Follower, nextOf } from '@fibre/testing';
import request from 'supertest';

const PAUSE_MS = 200;

/** Keeps a copy from a change feed while the traffic runs. */
export class CopiedFeed {
  private readonly follower: Follower;
  private readonly client: ReturnType<typeof request.agent>;
  private readonly over = new AbortController();
  private readonly following: Promise<void>;

  /** @param list the path of the list that has the same records as the feed at `changes/` below it */
  constructor(
    url: string,
    token: string,
    private readonly list: string,
  ) {
    this.client = request.agent(url).auth(token, { type: 'bearer' });
    this.follower = new Follower(this.client, `${list}changes/`);
    this.following = this.follow();
  }

  /** Catches up and compares. @returns the ids of the records that differ from the list */
  async differences(): Promise<string[]> {
    this.over.abort();
    await this.following;
    await this.patiently(() => this.follower.catchUp());
    const { copy } = this.follower;
    const listed = await this.patiently(() => this.readList());
    return [...new Set([...copy.keys(), ...listed.keys()])].filter((id) => !isDeepStrictEqual(copy.get(id), listed.get(id)));
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

  private async readList(): Promise<Map<string, Record<string, string>>> {
    const records = new Map<string, Record<string, string>>();
    for (let next: string | undefined = `${this.list}?_page_size=2000`; next !== undefined;) {
      const page = await this.client.get(next);
      if (page.status !== 200) throw new Error(`${next}: ${page.status}`);
      for (const record of page.body as Record<string, string>[]) records.set(record.node_id ?? record.event_id!, record);
      const url = nextOf(page);
      next = url && url.pathname + url.search;
    }
    return records;
  }
}
