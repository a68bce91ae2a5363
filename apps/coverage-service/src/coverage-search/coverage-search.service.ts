import { ContentionError } from '@fibre/database';
import { Inject, Injectable } from '@nestjs/common';
import { type PlatformRules, requireAddressId } from '../node-rules/platform-rules.js';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { earthCentred, type Ecef } from '../geography/geodesy.js';
import { type Origin, originAt } from '../geography/search-area.js';
import type { Center } from '../geography/center.js';
import { CoverageSearchRepository, type NodeLookup } from './coverage-search.repository.js';
import type { SearchQuery, SearchTerms, WordSearchQuery } from './coverage-search.requests.js';
import type { NearbyNode, SearchFilters } from './coverage-search.sql.js';
import { nearest, type Ranked, SAME_METRES } from './nearest.js';
import type { QualityTable } from '../settings/quality-table.js';

/** Radius of the first attempt in metres. Most searches request no larger radius, and in a town this radius contains enough nodes. */
const FIRST_REACH = 100;
/** Maximum number of nodes at an address. */
const MAX_AT_ADDRESS = 100;
/** How many candidates beyond the limit are read to be sure of the order. */
const SPARE = 1;
/** Maximum number of attempts; a search starts over if a node that it found is deleted. */
const MAX_ATTEMPTS = 5;
/** Maximum number of candidates to read if fewer are not enough to decide the order. */
const MAX_CANDIDATES = 5_000;

type Candidate = NearbyNode & { readonly position: Ecef };

/** A result of a search. */
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
    @Inject(COVERAGE_ENV) private readonly env: Pick<CoverageEnv, 'QUALITY_TABLE'> & PlatformRules,
  ) {}

  /** The nearest production nodes of all tenants, within the radius along the ground. */
  search({ center, search_radius, limit, ...filters }: SearchQuery): Promise<FoundNode[]> {
    return this.searchBy(this.repository.lookup(filters), center, search_radius, limit);
  }

  /** Searches several places at once, with fewer statements than separate searches. */
  searchAll(centers: readonly Center[], { search_radius, limit, ...filters }: SearchTerms & { limit: number }): Promise<FoundNode[][]> {
    const lookup = this.repository.sharedLookup(filters);
    return Promise.all(centers.map((center) => this.searchBy(lookup, center, search_radius, limit)));
  }

  /**
   * The production nodes of all tenants at an address, as JSON; `hasMore` if there are more than these.
   *
   * @throws Problem 422 if no address of the register has this id
   */
  async searchAddress(address_id: string, filters: SearchFilters): Promise<{ nodes: string[]; hasMore: boolean }> {
    requireAddressId(this.env, address_id);
    const [found] = await this.repository.atAddresses([address_id], MAX_AT_ADDRESS + 1, filters);
    return { nodes: found!.slice(0, MAX_AT_ADDRESS), hasMore: found!.length > MAX_AT_ADDRESS };
  }

  /** Searches several addresses with one statement. */
  async searchAddresses(
    addresses: readonly string[],
    { limit, search_radius: _radius, ...filters }: SearchTerms & { limit: number },
  ): Promise<string[][]> {
    return addresses.length === 0 ? [] : this.repository.atManyAddresses(addresses, limit, filters);
  }

  /** The production nodes of all tenants whose address has all words, as JSON, best first; `hasMore` if there may be more than these. */
  searchByWords({ q, ...filters }: WordSearchQuery): Promise<{ nodes: string[]; hasMore: boolean }> {
    return this.repository.byWords(q, filters);
  }

  private async searchBy(lookup: NodeLookup, center: Center, radius: number, limit: number): Promise<FoundNode[]> {
    const origin = originAt(Number(center.latitude), Number(center.longitude));
    const found = await nearestWithin(lookup, origin, radius, limit);
    return found.map(({ candidate, distance }) => ({ node: candidate, distance, quality: qualityOf(distance, this.env.QUALITY_TABLE) }));
  }
}

async function nearestWithin(lookup: NodeLookup, origin: Origin, radius: number, limit: number): Promise<Ranked<Candidate>[]> {
  const close = await allWithin(lookup, origin, Math.min(radius, FIRST_REACH), limit);
  if (close.length === limit || radius <= FIRST_REACH) return close;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const some = withPositions(await lookup.closestInDegrees({ origin, radius: radius + SAME_METRES }, limit));
    const ranked = nearest(origin.position, some, true, limit, radius + SAME_METRES)!;
    if (some.length < limit) return ranked;
    // No node beyond the farthest of these can be among the nearest.
    const reach = ranked.length < limit ? radius : ranked.at(-1)!.distance;
    const found = await allWithin(lookup, origin, reach, limit);
    // If there are fewer nodes, one was deleted in the meantime, so the next attempt looks farther out.
    if (found.length === limit || reach === radius) return found;
  }
  throw new ContentionError(MAX_ATTEMPTS, undefined);
}

/** Finds the nearest of all nodes within `radius` metres. */
async function allWithin(lookup: NodeLookup, origin: Origin, radius: number, limit: number): Promise<Ranked<Candidate>[]> {
  // PostgreSQL's sines differ from ours in the last digit; without this margin, a node exactly at the edge or center would be missed.
  const reach = radius + SAME_METRES;
  const decide = async (count: number): Promise<Ranked<Candidate>[] | undefined> => {
    const candidates = withPositions(await lookup.nearby({ origin, radius: reach }, count));
    // If even the maximum is not enough, thousands of nodes share one place, already ordered by id.
    return nearest(origin.position, candidates, candidates.length < count || count === MAX_CANDIDATES, limit, reach);
  };
  return (await decide(limit + SPARE)) ?? (await decide(MAX_CANDIDATES))!;
}

const withPositions = (nodes: readonly NearbyNode[]): Candidate[] =>
  nodes.map((node) => ({ ...node, position: earthCentred(Number(node.latitude), Number(node.longitude)) }));

/** The grade of a distance in metres. */
export function qualityOf(metres: number, table: QualityTable): string {
  const grade = table.find(({ upTo }) => metres <= upTo)?.grade;
  if (grade === undefined) throw new Error(`the quality table has no grade for ${metres} m`);
  return grade;
}
