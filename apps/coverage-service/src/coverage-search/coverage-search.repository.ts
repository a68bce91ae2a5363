import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import { type NearbyNode, type SearchFilters, selectNearby } from './coverage-search.sql.js';
import { earthCentred, type Ecef } from '../geography/geodesy.js';
import { nearest, type Ranked, SAME_METRES } from './nearest.js';
import type { Origin } from '../geography/search-area.js';

/** Metres that a search looks at first, and by what factor farther when that is not enough. */
const [FIRST_REACH, FARTHER] = [100, 3];
/** How many candidates beyond the limit are read at first, and by what factor more when these do not decide it. */
const [SPARE, WIDEN] = [1, 8];
/** Most candidates to read for one answer. */
const MAX_CANDIDATES = 5_000;

export type Hit = Ranked<NearbyNode & { position: Ecef }>;

@Injectable()
export class CoverageSearchRepository {
  constructor(private readonly database: Database) {}

  /** The `limit` nearest production nodes of every tenant within `radius` metres along the ground. */
  async search(origin: Origin, radius: number, limit: number, filters: SearchFilters): Promise<Hit[]> {
    // Step by step: where many nodes stand, most of those within a large radius need not be looked at.
    for (let reach = Math.min(FIRST_REACH, radius); ; reach = Math.min(reach * FARTHER, radius)) {
      const hits = await this.within(origin, reach, limit, filters);
      if (hits.length === limit || reach === radius) return hits;
    }
  }

  private async within(origin: Origin, radius: number, limit: number, filters: SearchFilters): Promise<Hit[]> {
    // PostgreSQL's sines differ from ours in the last digit: without this a node at the very edge, or at the very point, is lost.
    const reach = radius + SAME_METRES;
    for (let count = limit + SPARE; ; count = Math.min(count * WIDEN, MAX_CANDIDATES)) {
      const rows = await this.database.read<NearbyNode>(selectNearby(origin, reach, count, filters));
      const candidates = rows.map((row) => ({ ...row, position: earthCentred(Number(row.latitude), Number(row.longitude)) }));
      // Beyond the most, more than thousands of nodes stand in one place and the order among them is by id already.
      const hits = nearest(origin.position, candidates, rows.length < count || count === MAX_CANDIDATES, limit, reach);
      if (hits) return hits;
    }
  }
}
