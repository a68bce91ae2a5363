import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-csp-worker.js?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type * as gl from 'maplibre-gl';
import type { Box } from '../access-node.js';
import { texts } from '../coverage-texts.js';
import { viewOfAddress } from './kept-view.js';
import { boxBetween, toLngLat } from './positions.js';
import { MAX_ZOOM } from './style/layers.js';

maplibre.setWorkerUrl(workerUrl);
// Its script loads while the nodes are looked for.
maplibre.prewarm();

export const EUROPE = { center: [13, 48] as [number, number], zoom: 3.5 };

/**
 * A map that is never turned, without a style, at the place of the page's URL or over Europe.
 *
 * @throws Error if the browser does not support WebGL
 */
export function newMap(container: HTMLElement, onBox: (box: Box) => void): gl.Map {
  const t = texts();
  const linked = viewOfAddress();
  const map = new maplibre.Map({
    container,
    ...(linked ? { zoom: linked.zoom, center: toLngLat(linked) } : EUROPE),
    maxZoom: MAX_ZOOM,
    attributionControl: { compact: false },
    boxZoom: { boxZoomEnd: (_map, from, to) => onBox(boxBetween(map, from, to)) },
    dragRotate: false,
    touchPitch: false,
    fadeDuration: 0,
    locale: { 'Map.Title': t.mapLabel, 'AttributionControl.ToggleAttribution': t.attribution },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new maplibre.ScaleControl({ maxWidth: 120 }), 'bottom-left');
  return map;
}
