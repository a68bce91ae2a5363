import { Field, type FieldOptions } from '@fibre/dto';
import { NodeFilters } from '../access-nodes/access-node-filters.requests.js';
import { type MapTile, MAX_ZOOM } from '../geography/map-tile.js';

/** One spelling per number, so that each tile has one URL. Anything else is 404, because it does not name a tile. */
const toTileNumber = (sent: unknown): number => (/^(0|[1-9]\d{0,6})$/.test(sent as string) ? Number(sent) : NaN);

const TileNumber = (maximum: number, options: FieldOptions): PropertyDecorator =>
  Field({ read: toTileNumber, ...options }, { type: 'integer', minimum: 0, maximum });

export class MapTilePath implements MapTile {
  @TileNumber(MAX_ZOOM, { description: 'Zoom level.' })
  z!: number;

  @TileNumber(2 ** MAX_ZOOM - 1, { description: 'Column from the west, less than 2^z.' })
  x!: number;

  @TileNumber(2 ** MAX_ZOOM - 1, { description: 'Row from the north, less than 2^z.' })
  y!: number;
}

export class MapTileQuery extends NodeFilters {}
