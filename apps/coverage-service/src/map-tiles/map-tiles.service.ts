import { TenantLimit } from '@fibre/server';
import { Injectable } from '@nestjs/common';
import type { AccessNodeFilters } from '../access-nodes/access-node.sql.js';
import { isOnMap, type MapTile } from '../geography/map-tile.js';
import { noSuchTile } from './map-tile.problems.js';
import { MAX_READ, narrowFilters } from './map-tile.sql.js';
import { MapTilesRepository } from './map-tiles.repository.js';
import { encodeVectorTile, type MapPoint } from './vector-tile.js';

/** A tile that holds more nodes is merged into cells. */
export const MAX_NODES = 2_000;
/** A map asks for a dozen tiles at a time; the other connections are for other requests. */
const TILES_AT_ONCE = 4;
/** Milliseconds that a tile waits for others of its tenant. */
const MAX_WAIT_MS = 5_000;

/** The map of a tenant. */
@Injectable()
export class MapTilesService {
  private readonly limit = new TenantLimit('map tile', TILES_AT_ONCE, MAX_WAIT_MS);

  constructor(private readonly repository: MapTilesRepository) {}

  /**
   * @returns the bytes of the tile, `undefined` when there is no node in it
   * @throws Problem 404 outside of the map
   */
  async read(tenant: string, tile: MapTile, filters: AccessNodeFilters): Promise<Buffer | undefined> {
    if (!isOnMap(tile)) throw noSuchTile();
    const points = await this.limit.run(tenant, () => this.pointsIn(tenant, tile, filters));
    return points.length === 0 ? undefined : encodeVectorTile(tile, points);
  }

  private async pointsIn(tenant: string, tile: MapTile, filters: AccessNodeFilters): Promise<MapPoint[]> {
    // The nodes of the tile; if these are too many, those of the tenant that one filter leaves.
    for (const narrowBy of [undefined, ...narrowFilters(filters)]) {
      const nodes = { tenant, tile, filters, narrowBy };
      const candidates = await this.repository.count(nodes);
      if (candidates > MAX_READ) continue;
      const cells = candidates > MAX_NODES ? await this.repository.cells(nodes) : [];
      if (cells.reduce((sum, { count }) => sum + count, 0) > MAX_NODES) return cells.map(toPoint);
      return (await this.repository.nodes(nodes, MAX_NODES)).map(toPoint);
    }
    return (await this.repository.estimatedCells({ tenant, tile, filters })).map(toPoint);
  }
}

const toPoint = ({ longitude, latitude, ...properties }: Omit<MapPoint, 'properties'>): MapPoint => ({ longitude, latitude, properties });
