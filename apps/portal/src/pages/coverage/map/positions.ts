import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';
import type * as gl from 'maplibre-gl';
import type { Box, Place } from '../access-node.js';

/** Metres of a degree of latitude, nearly everywhere. */
export const METRES_PER_DEGREE = 111_195;

export const toLngLat = ({ latitude, longitude }: Place): [number, number] => [longitude, latitude];

export const placeAt = ([longitude, latitude]: readonly [number, number]): Place => ({ latitude, longitude });

/** The map may show the world more than once. */
export const toPlace = (at: gl.LngLat): Place => placeAt(at.wrap().toArray());

/** The position of a node, a cell or a place. */
export const positionOf = ({ geometry }: gl.GeoJSONFeature): [number, number] =>
  (geometry as GeoJSON.Point).coordinates as [number, number];

/** The box in view, for those who cannot drag, as WCAG 2.5.7 asks. */
export function boxInView(map: gl.Map): Box {
  const { clientWidth, clientHeight } = map.getCanvas();
  return boxBetween(map, new maplibre.Point(0, 0), new maplibre.Point(clientWidth, clientHeight));
}

/** The box with these corners, in pixels of the map. */
export function boxBetween(map: gl.Map, ...corners: readonly gl.Point[]): Box {
  const bounds = new maplibre.LngLatBounds();
  for (const corner of corners) bounds.extend(map.unproject(corner));
  const isWhole = bounds.getEast() - bounds.getWest() >= 360;
  const [{ lng: west, lat: south }, { lng: east, lat: north }] = [bounds.getSouthWest().wrap(), bounds.getNorthEast().wrap()];
  return { south, north, west: isWhole ? -180 : west, east: isWhole ? 180 : east };
}
