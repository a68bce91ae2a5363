import { Database, isTimeout, type Limit, Limits, type Statement } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import {
  type Circle,
  MAX_BY_WORDS,
  type NearbyNode,
  type NodeOfAddress,
  type NodeOfCircle,
  type SearchFilters,
  selectAtAddresses,
  selectByWords,
  selectClosestInDegrees,
  selectNearby,
} from './coverage-search.sql.js';

/** The queries of a search. */
export interface NodeLookup {
  /** The `count` production nodes in a circle that are nearest in a straight line; ties are ordered by node_id. */
  nearby(circle: Circle, count: number): Promise<NearbyNode[]>;
  /** The `count` production nodes in a circle that are nearest in degrees; up to twice as many if the circle crosses the date line. */
  closestInDegrees(circle: Circle, count: number): Promise<NearbyNode[]>;
}

/** Maximum number of nodes that one statement for several circles returns. */
const MAX_NODES = 2_000;
/** Longest time in milliseconds that such a statement waits for its turn; the deadline of its request is earlier. */
const MAX_WAIT_MS = 1_800_000;

@Injectable()
export class CoverageSearchRepository {
  private readonly limit: Limit;

  constructor(
    private readonly database: Database,
    limits: Limits,
  ) {
    const amount = database.bulkShare;
    this.limit = limits.add('statements for many places', { amount, perClient: amount, maxWaitMs: MAX_WAIT_MS });
  }

  /** Queries each circle separately. */
  lookup(filters: SearchFilters): NodeLookup {
    return {
      nearby: async (circle, count) => (await this.nearby([circle], count, filters))[0]!,
      closestInDegrees: async (circle, count) => (await this.closestInDegrees([circle], count, filters))[0]!,
    };
  }

  /** Combines the queries of concurrent searches into one statement. These statements use at most a quarter of the connections. */
  sharedLookup(filters: SearchFilters): NodeLookup {
    const shared = (ask: (circles: readonly Circle[], count: number) => Promise<NearbyNode[][]>): NodeLookup['nearby'] => {
      const loaders = new Map<number, DataLoader<Circle, NearbyNode[]>>();
      const loaderOf = (count: number): DataLoader<Circle, NearbyNode[]> =>
        new DataLoader((circles) => this.limit.run('', () => oneByOneIfLate(circles, (some) => ask(some, count))), {
          cache: false,
          maxBatchSize: Math.max(1, Math.floor(MAX_NODES / count)),
        });
      return (circle, count) => {
        const loader = loaders.get(count) ?? loaderOf(count);
        loaders.set(count, loader);
        return loader.load(circle);
      };
    };
    return {
      nearby: shared((circles, count) => this.nearby(circles, count, filters)),
      closestInDegrees: shared((circles, count) => this.closestInDegrees(circles, count, filters)),
    };
  }

  /** The first `count` production nodes at each address, as JSON, by node_id. */
  async atAddresses(addresses: readonly string[], count: number, filters: SearchFilters): Promise<string[][]> {
    const found: string[][] = addresses.map(() => []);
    const nodes = await this.database.read<NodeOfAddress>(selectAtAddresses(addresses, count, filters));
    for (const { address, json } of nodes) found[address]!.push(json);
    return found;
  }

  /** The same within the share of connections that searches for many places may use. */
  atManyAddresses(addresses: readonly string[], count: number, filters: SearchFilters): Promise<string[][]> {
    return this.limit.run('', () => oneByOneIfLate(addresses, (some) => this.atAddresses(some, count, filters)));
  }

  /** The production nodes whose address has all words of a text, as JSON, best first; `hasMore` if there may be more than these. */
  async byWords(text: string, filters: SearchFilters): Promise<{ nodes: string[]; hasMore: boolean }> {
    const rows = await this.database.read<{ json: string | null; is_cut: boolean }>(selectByWords(text, filters));
    const nodes = rows.flatMap(({ json }) => json ?? []);
    return { nodes: nodes.slice(0, MAX_BY_WORDS), hasMore: nodes.length > MAX_BY_WORDS || rows[0]!.is_cut };
  }

  private async nearby(circles: readonly Circle[], count: number, filters: SearchFilters): Promise<NearbyNode[][]> {
    const found = await this.byCircle(circles, selectNearby(circles, count, filters));
    // For a circle that crosses the date line, the statement returns up to `count` nodes for each of its two areas.
    return found.map((nodes) => nodes.sort(byStraightLine).slice(0, count));
  }

  private closestInDegrees(circles: readonly Circle[], count: number, filters: SearchFilters): Promise<NearbyNode[][]> {
    return this.byCircle(circles, selectClosestInDegrees(circles, count, filters));
  }

  private async byCircle(circles: readonly Circle[], statement: Statement): Promise<NearbyNode[][]> {
    const found: NearbyNode[][] = circles.map(() => []);
    for (const node of await this.database.read<NodeOfCircle>(statement)) found[node.circle]!.push(node);
    return found;
  }
}

const byStraightLine = (a: NearbyNode, b: NearbyNode): number => a.straight - b.straight || (a.node_id < b.node_id ? -1 : 1);

/** If one statement for all places takes too long, each place gets its own statement, as in a single search. */
async function oneByOneIfLate<Place, Found>(
  places: readonly Place[],
  ask: (places: readonly Place[]) => Promise<Found[][]>,
): Promise<Found[][]> {
  try {
    return await ask(places);
  } catch (error) {
    if (!isTimeout(error) || places.length === 1) throw error;
  }
  const found: Found[][] = [];
  for (const place of places) found.push(...(await ask([place])));
  return found;
}
