import { Database } from '@fibre/database';
import { Injectable } from '@nestjs/common';
import {
  type Cell,
  countCandidates,
  countSample,
  MAX_READ,
  type NodeOnMap,
  SAMPLES,
  selectCells,
  selectEstimatedCells,
  selectNodes,
  type TileNodes,
} from './map-tile.sql.js';

@Injectable()
export class MapTilesRepository {
  constructor(private readonly database: Database) {}

  /** Counts the nodes that would be read, up to one more than {@link MAX_READ}. */
  async count(nodes: TileNodes): Promise<number> {
    const [row] = await this.database.run<{ count: number }>(countCandidates(nodes));
    return row!.count;
  }

  cells(nodes: TileNodes): Promise<Cell[]> {
    return this.database.run<Cell>(selectCells(nodes));
  }

  /** The first nodes of a tile. */
  nodes(nodes: TileNodes, limit: number): Promise<NodeOnMap[]> {
    return this.database.run<NodeOnMap>(selectNodes(nodes, limit));
  }

  /** The cells of a tile with more nodes than may be read. */
  async estimatedCells({ tenant, tile, filters }: Omit<TileNodes, 'narrowBy'>): Promise<Cell[]> {
    for (const share of SAMPLES) {
      const [row] = await this.database.run<{ count: number }>(countSample(tenant, tile, filters.target, share));
      if (row!.count <= MAX_READ || share === SAMPLES.at(-1)) return this.database.run(selectEstimatedCells(tenant, tile, filters, share));
    }
    return [];
  }
}
