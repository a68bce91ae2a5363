import { Database, type Limit, Limits, type Statement } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { AccessNodeFilters } from '../access-nodes/access-node.sql.js';
import { isOnMap, type MapTile } from '../geography/map-tile.js';
import { noSuchTile } from './map-tile.problems.js';
import {
  type Cell,
  countCandidates,
  countSample,
  MAX_READ,
  narrowFilters,
  type NodeOnMap,
  SAMPLES,
  selectCells,
  selectEstimatedCells,
  selectNodes,
} from './map-tile.sql.js';
import { encodeVectorTile, type MapPoint } from './vector-tile.js';

/** If a tile has more nodes than this, they are grouped into cells. */
export const MAX_NODES = 2_000;
/** Maximum number of tiles read for a tenant at once: a map requests a dozen, and other requests need connections too. */
const TILES_AT_ONCE = 4;
/** Milliseconds that a tile waits for other tiles of its tenant. */
const MAX_WAIT_MS = 5_000;

/** The map of a tenant. */
@Injectable()
export class MapTilesService {
  private readonly limit: Limit;

  constructor(
    private readonly database: Database,
    limits: Limits,
  ) {
    this.limit = limits.add('map tiles', { perClient: TILES_AT_ONCE, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * @returns the bytes of the tile, or `undefined` if it has no nodes
   * @throws Problem 404 outside the map
   */
  async read(tenant: string, tile: MapTile, filters: AccessNodeFilters): Promise<Buffer | undefined> {
    if (!isOnMap(tile)) throw noSuchTile();
    const { cells, nodes } = await this.limit.run(tenant, () => this.pointsIn(tenant, tile, filters));
    return cells.length === 0 ? undefined : encodeVectorTile(tile, { nodes: nodes ?? cells, cells });
  }

  /** The cells of a tile and, unless there are too many, its nodes. */
  private async pointsIn(tenant: string, tile: MapTile, filters: AccessNodeFilters): Promise<{ cells: MapPoint[]; nodes?: MapPoint[] }> {
    // The nodes of the tile or, if there are too many, the tenant's nodes that match one filter.
    for (const narrowBy of [undefined, ...narrowFilters(filters)]) {
      const chosen = { tenant, tile, filters, narrowBy };
      if ((await this.count(countCandidates(chosen))) > MAX_READ) continue;
      const cells = await this.database.run<Cell>(selectCells(chosen));
      const isMerged = cells.reduce((sum, { count }) => sum + count, 0) > MAX_NODES;
      const nodes = isMerged ? undefined : (await this.database.run<NodeOnMap>(selectNodes(chosen, MAX_NODES))).map(toPoint);
      return { cells: cells.map(toCell), nodes };
    }
    let share: number = SAMPLES[0];
    for (share of SAMPLES) if ((await this.count(countSample(tenant, tile, filters.target, share))) <= MAX_READ) break;
    return { cells: (await this.database.run<Cell>(selectEstimatedCells(tenant, tile, filters, share))).map(toCell) };
  }

  /** The count stops at one more than {@link MAX_READ}. */
  private async count(statement: Statement): Promise<number> {
    const [row] = await this.database.run<{ count: number }>(statement);
    return row!.count;
  }
}

const toPoint = ({ longitude, latitude, ...properties }: Omit<MapPoint, 'properties'>): MapPoint => ({ longitude, latitude, properties });

/** A cell with one node has the fields of that node. */
function toCell({ longitude, latitude, node_id, token, technology, status, ...counts }: Cell): MapPoint {
  const isNode = counts.count === 1 && !counts.estimated;
  return { longitude, latitude, properties: isNode ? { node_id, token, technology, status } : counts };
}
