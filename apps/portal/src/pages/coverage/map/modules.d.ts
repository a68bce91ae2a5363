declare module 'maplibre-gl/dist/maplibre-gl-csp.js' {
  export * as default from 'maplibre-gl';
}

/** Made by map-background.ts beside vite.config.ts. */
declare module 'virtual:map-background' {
  import type { GeometryCollection, Topology } from 'topojson-specification';

  interface Background {
    readonly topology: Topology<{ land: GeometryCollection; countries: GeometryCollection }>;
    readonly names: readonly { readonly code: string; readonly longitude: number; readonly latitude: number; readonly area: number }[];
  }
  const background: Background;
  export default background;
}

declare module 'polylabel' {
  /** The point of a polygon that is farthest from its edge. */
  export default function polylabel(polygon: number[][][], precision?: number): [x: number, y: number];
}
