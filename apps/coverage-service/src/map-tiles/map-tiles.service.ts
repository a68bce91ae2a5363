import { Database, type Limit, Limits, type Statement } from '@fibre/database';
import { Inject, Injectable } from '@nestjs/common';
import type { AccessNodeFilters } from '../access-nodes/access-node-filters.sql.js';
import { requireAddressId } from '../node-rules/platform-rules.js';
import { COVERAGE_ENV, type CoverageEnv } from '../coverage.env.js';
import { cellIn, isOnMap, type MapTile } from '../geography/map-tile.js';
import { noSuchTile } from './map-tile.problems.js';
import {
  type Cell,
  countCandidates,
  countSample,
  isFiltered,
  MAX_NODES,
  MAX_READ,
  narrowFilters,
  type NodeOnMap,
  SAMPLES,
  selectCells,
  selectEstimatedCells,
  selectNodes,
  SHOWN,
} from './map-tile.sql.js';
import { encodeVectorTile, type MapPoint } from './vector-tile.js';

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
    @Inject(COVERAGE_ENV) private readonly env: CoverageEnv,
  ) {
    this.limit = limits.add('map tiles', { perClient: TILES_AT_ONCE, maxWaitMs: MAX_WAIT_MS });
  }

  /**
   * @returns the bytes of the tile, or `undefined` if it has no nodes
   * @throws Problem 404 outside the map, 422 if no address of the register has the id of a filter
   */
  async read(tenant: string, tile: MapTile, filters: AccessNodeFilters): Promise<Buffer | undefined> {
    if (!isOnMap(tile)) throw noSuchTile();
    requireAddressId(this.env, filters.address_id);
    const { cells, nodes } = await this.limit.run(tenant, () => this.pointsIn(tenant, tile, filters));
    return cells.length === 0 ? undefined : encodeVectorTile(tile, { nodes: nodes ?? cells, cells });
  }

  /** The cells of a tile and, unless there are too many, its nodes. */
  private async pointsIn(tenant: string, tile: MapTile, filters: AccessNodeFilters): Promise<{ cells: MapPoint[]; nodes?: MapPoint[] }> {
    // The nodes of the tile or, if there are too many, the tenant's nodes that match one filter.
    for (const narrowBy of [undefined, ...narrowFilters(filters)]) {
      const chosen = { tenant, tile, filters, narrowBy };
      const isTooMuch = async (): Promise<boolean> => (await this.count(countCandidates(chosen))) > MAX_READ;
      // With filters, any number of nodes may have to be read to find a few that match.
      if (isFiltered(filters) && (await isTooMuch())) continue;
      const nodes = await this.database.run<NodeOnMap>(selectNodes(chosen));
      if (nodes.length <= MAX_NODES) return { cells: cellsOf(tile, nodes), nodes: nodes.map(toNode) };
      if (!isFiltered(filters) && (await isTooMuch())) continue;
      return { cells: (await this.database.run<Cell>(selectCells(chosen))).map(toCell) };
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

const toNode = (node: NodeOnMap): MapPoint => ({
  longitude: node.longitude,
  latitude: node.latitude,
  properties: Object.fromEntries(SHOWN.map((name) => [name, node[name]])),
});

/** A cell with one node has the fields of that node. */
function toCell(cell: Cell): MapPoint {
  const { longitude, latitude, count, planned, construction, operation, estimated } = cell;
  if (count === 1 && !estimated) return toNode(cell);
  return { longitude, latitude, properties: { count, planned, construction, operation, estimated } };
}

/** The cells of a tile whose nodes are all known. */
function cellsOf(tile: MapTile, nodes: readonly NodeOnMap[]): MapPoint[] {
  const cells = new Map<number, NodeOnMap[]>();
  for (const node of nodes) {
    const cell = cellIn(tile, node.longitude, node.latitude);
    const others = cells.get(cell);
    if (others) others.push(node);
    else cells.set(cell, [node]);
  }
  return [...cells.values()].map((all) => {
    if (all.length === 1) return toNode(all[0]!);
    const properties = { count: all.length, planned: 0, construction: 0, operation: 0 };
    let [longitude, latitude] = [0, 0];
    for (const node of all) {
      properties[node.token]++;
      longitude += node.longitude / all.length;
      latitude += node.latitude / all.length;
    }
    return { longitude, latitude, properties };
  });
}
