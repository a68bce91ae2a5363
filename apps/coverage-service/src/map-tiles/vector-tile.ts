import Point from '@mapbox/point-geometry';
import { fromVectorTileJs } from '@maplibre/vt-pbf';
import { type MapTile, placeIn } from '../geography/map-tile.js';

export const VECTOR_TILE = 'application/vnd.mapbox-vector-tile';
const LAYER = 'nodes';
/** Units that a tile has a side. */
const EXTENT = 4_096;
/** Of Mapbox's specification: 2.1. */
const VERSION = 2;
const POINT = 1;

/** A point of the map. */
export interface MapPoint {
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** Texts, numbers and truth values; `null` is left out. */
  readonly properties: object;
}

export function encodeVectorTile(tile: MapTile, points: readonly MapPoint[]): Buffer {
  const feature = (index: number) => {
    const { longitude, latitude, properties } = points[index]!;
    return {
      type: POINT,
      id: undefined,
      extent: EXTENT,
      properties: properties as Record<string, string | number | boolean>,
      loadGeometry: () => [[new Point(...placeIn(tile, longitude, latitude, EXTENT))]],
    } as const;
  };
  const layer = { version: VERSION, name: LAYER, extent: EXTENT, length: points.length, feature };
  return Buffer.from(fromVectorTileJs({ layers: { [LAYER]: layer } }));
}
