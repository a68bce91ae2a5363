import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import type { AccessNodeFilters } from '../access-nodes/access-node.sql.js';
import type { MapTile } from '../geography/map-tile.js';
import {
  type Cell,
  countNodes,
  countSample,
  type EstimatedCell,
  MAX_READ,
  type NarrowFilter,
  type NodeOnMap,
  SAMPLES,
  selectCells,
  selectEstimatedCells,
  selectNodes,
} from './map-tile.sql.js';

@Injectable()
export class MapTilesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts the nodes that would be looked at, up to one more than {@link MAX_READ}.
   *
   * @param along the filter whose index leads to the nodes; the tile's own when absent
   */
  async count(tenant: string, tile: MapTile, filters: AccessNodeFilters, along: NarrowFilter | undefined): Promise<number> {
    const [row] = await this.database.run<{ count: number }>(countNodes(tenant, tile, filters, along));
    return row!.count;
  }

  cells(tenant: string, tile: MapTile, filters: AccessNodeFilters, along: NarrowFilter | undefined): Promise<Cell[]> {
    return this.database.run<Cell>(selectCells(tenant, tile, filters, along));
  }

  /** The first nodes of a tile. */
  nodes(tenant: string, tile: MapTile, filters: AccessNodeFilters, along: NarrowFilter | undefined, limit: number): Promise<NodeOnMap[]> {
    return this.database.run<NodeOnMap>(selectNodes(tenant, tile, filters, along, limit));
  }

  /** The cells of a tile that holds more nodes than may be read. */
  async estimatedCells(tenant: string, tile: MapTile, filters: AccessNodeFilters): Promise<EstimatedCell[]> {
    for (const share of SAMPLES) {
      const [row] = await this.database.run<{ count: number }>(countSample(tenant, tile, filters.target, share));
      if (row!.count <= MAX_READ || share === SAMPLES.at(-1)) return this.database.run(selectEstimatedCells(tenant, tile, filters, share));
    }
    return [];
  }
}
