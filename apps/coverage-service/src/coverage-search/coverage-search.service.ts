import { ContentionError } from '@fibre/database';
import { Inject, Injectable } from '@nestjs/common';
import { earthCentred, type Ecef } from '../geography/geodesy.js';
import { type Origin, originAt } from '../geography/search-area.js';
import { CoverageSearchRepository } from './coverage-search.repository.js';
import type { SearchQuery } from './coverage-search.requests.js';
import type { NearbyNode, SearchFilters } from './coverage-search.sql.js';
import { nearest, type Ranked, SAME_METRES } from './nearest.js';
import { qualityOf, type QualityTable } from './quality.js';

export const QUALITY_TABLE = Symbol('QUALITY_TABLE');

/** Metres that a search looks at first. Most searches ask for no more, and in a town it has enough there. */
const FIRST_REACH = 100;
/** How many candidates beyond the limit are read to be sure of the order. */
const SPARE = 1;
/** How often a search begins again because a node that it had found was deleted. */
const MAX_ATTEMPTS = 5;
/** Most candidates that are read when these do not decide it. */
const MAX_CANDIDATES = 5_000;

type Candidate = NearbyNode & { readonly position: Ecef };

/** A node that a search found. */
export interface FoundNode {
  readonly node: NearbyNode;
  /** Metres along the ground, not rounded. */
  readonly distance: number;
  readonly quality: string;
}

@Injectable()
export class CoverageSearchService {
  constructor(
    private readonly repository: CoverageSearchRepository,
    @Inject(QUALITY_TABLE) private readonly qualityTable: QualityTable,
  ) {}

  /** The nearest production nodes of every tenant, each within the radius along the ground. */
  async search({ center, search_radius, limit, ...filters }: SearchQuery): Promise<FoundNode[]> {
    const origin = originAt(Number(center.latitude), Number(center.longitude));
    const found = await this.nearestWithin(origin, search_radius, limit, filters);
    return found.map(({ candidate, distance }) => ({ node: candidate, distance, quality: qualityOf(distance, this.qualityTable) }));
  }

  private async nearestWithin(origin: Origin, radius: number, limit: number, filters: SearchFilters): Promise<Ranked<Candidate>[]> {
    const close = await this.allWithin(origin, Math.min(radius, FIRST_REACH), limit, filters);
    if (close.length === limit || radius <= FIRST_REACH) return close;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const some = withPositions(await this.repository.closestInDegrees(origin, radius + SAME_METRES, limit, filters));
      const ranked = nearest(origin.position, some, true, limit, radius + SAME_METRES)!;
      if (some.length < limit) return ranked;
      // No node beyond the farthest of these can be among the nearest.
      const reach = ranked.length < limit ? radius : ranked.at(-1)!.distance;
      const found = await this.allWithin(origin, reach, limit, filters);
      // Fewer than these means that one was deleted meanwhile, and farther nodes take its place.
      if (found.length === limit || reach === radius) return found;
    }
    throw new ContentionError(MAX_ATTEMPTS, undefined);
  }

  /** Decides among all nodes within `radius` metres. */
  private async allWithin(origin: Origin, radius: number, limit: number, filters: SearchFilters): Promise<Ranked<Candidate>[]> {
    // PostgreSQL's sines differ from ours in the last digit: without this a node at the very edge, or at the very point, is lost.
    const reach = radius + SAME_METRES;
    const decide = async (count: number): Promise<Ranked<Candidate>[] | undefined> => {
      const candidates = withPositions(await this.repository.nearby(origin, reach, count, filters));
      // Beyond the most, thousands of nodes stand in one place, and the order among them is by id already.
      return nearest(origin.position, candidates, candidates.length < count || count === MAX_CANDIDATES, limit, reach);
    };
    return (await decide(limit + SPARE)) ?? (await decide(MAX_CANDIDATES))!;
  }
}

const withPositions = (nodes: readonly NearbyNode[]): Candidate[] =>
  nodes.map((node) => ({ ...node, position: earthCentred(Number(node.latitude), Number(node.longitude)) }));
