import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { Origin } from '../geography/search-area.js';
import { type NearbyNode, type SearchFilters, selectClosestInDegrees, selectNearby } from './coverage-search.sql.js';

@Injectable()
export class CoverageSearchRepository {
  constructor(private readonly database: Database) {}

  /** The `count` production nodes nearest to a point by straight line, ties by node_id, out to `radius` metres. */
  nearby(origin: Origin, radius: number, count: number, filters: SearchFilters): Promise<NearbyNode[]> {
    return this.database.read(selectNearby(origin, radius, count, filters));
  }

  /** The `count` production nodes nearest to a point in degrees, out to `radius` metres. */
  closestInDegrees(origin: Origin, radius: number, count: number, filters: SearchFilters): Promise<NearbyNode[]> {
    return this.database.read(selectClosestInDegrees(origin, radius, count, filters));
  }
}
