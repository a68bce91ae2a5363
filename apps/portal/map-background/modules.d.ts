/** The package's own types do not resolve in an ES module. */
declare module '@maplibre/geojson-vt' {
  export interface GeoJSONVTTile {
    readonly features: readonly object[];
  }
  export class GeoJSONVT {
    constructor(data: GeoJSON.GeoJSON, options: { maxZoom: number; indexMaxZoom?: number; tolerance?: number; buffer?: number });
    getTile(z: number, x: number, y: number): GeoJSONVTTile | null;
  }
}
