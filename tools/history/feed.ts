import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { FibreClient } from '@fibre/client';
import { Follower } from '@fibre/testing';
import request from 'supertest';
import type { ServiceName } from '../bench/setup/service.js';

const PAUSE_MS = 200;

/** The change feed of each service. */
const FEEDS = { 'coverage-service': '/v2/cov/nodes/changes/', 'event-service': '/api/v2/sys/events/changes/' };

/** Keeps a copy from a change feed while the traffic runs. */
export class CopiedFeed {
  private readonly follower: Follower;
  private readonly over = new AbortController();
  private readonly following: Promise<void>;

  constructor(
    private readonly service: ServiceName,
    private readonly url: string,
    private readonly token: string,
  ) {
    this.follower = new Follower(request.agent(url).auth(token, { type: 'bearer' }), FEEDS[service]);
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

  private async readList(): Promise<Map<string, object>> {
    const [all, token] = [{ _page_size: 2_000 }, () => Promise.resolve(this.token)];
    const { coverage, events } = new FibreClient({ coverageUrl: this.url, eventsUrl: this.url, token });
    const records = new Map<string, object>();
    if (this.service === 'coverage-service') for await (const node of coverage.nodes.list(all)) records.set(node.node_id, node);
    else for await (const event of events.list(all)) records.set(event.event_id, event);
    return records;
  }
}
