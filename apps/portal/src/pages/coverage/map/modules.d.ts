declare module 'maplibre-gl/dist/maplibre-gl-csp.js' {
  export * as default from 'maplibre-gl';
}
