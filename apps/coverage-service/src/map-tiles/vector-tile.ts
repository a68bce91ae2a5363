import Point from '@mapbox/point-geometry';
import { fromVectorTileJs } from '@maplibre/vt-pbf';
import { type MapTile, placeIn } from '../geography/map-tile.js';

export const VECTOR_TILE = 'application/vnd.mapbox-vector-tile';
/** Units per side of a tile. */
const EXTENT = 4_096;
/** Version of Mapbox's specification: 2.1. */
const VERSION = 2;
const POINT = 1;

/** A point on the map. */
export interface MapPoint {
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** Strings, numbers and booleans; `null` is omitted. */
  readonly properties: object;
}

export function encodeVectorTile(tile: MapTile, layers: Readonly<Record<string, readonly MapPoint[]>>): Buffer {
  const encoded = Object.entries(layers).map(([name, points]) => {
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
    return [name, { version: VERSION, name, extent: EXTENT, length: points.length, feature }] as const;
  });
  return Buffer.from(fromVectorTileJs({ layers: Object.fromEntries(encoded) }));
}
