import type { FeatureCollection } from 'geojson';
import type * as gl from 'maplibre-gl';
import { language } from '../../../../texts.js';
import type { Place } from '../../access-node.js';
import { METRES_PER_DEGREE, placeAt, positionOf, toPlace } from '../positions.js';
import { PLACES } from './background.js';
import type { Colours } from './colours.js';

/** From this zoom level on, the bundled background has so little to show that a grid and the nearest place help. */
export const STREETS = 12;
export const GRID = 'grid';

/** What says where the map is at the level of streets: the grid, and the nearest place with its distance and direction. */
export interface Where {
  readonly grid: number;
  readonly nearest?: { readonly name: string; readonly metres: number; readonly direction: number };
}

/** The lines of the grid, which are beneath everything but the background. */
export const gridLayer = (colours: Colours): gl.LayerSpecification => ({
  id: GRID,
  type: 'line',
  source: GRID,
  paint: { 'line-color': colours.grid, 'line-width': 1 },
});

/** The grid around the middle of the map. */
export function gridIn(map: gl.Map): FeatureCollection {
  const center = toPlace(map.getCenter());
  const pixel = metresPerPixel(map.getZoom(), center.latitude);
  return gridAround(center, gridStep(pixel), 1_600 * pixel);
}

/** The grid, and the place nearest to the middle of the map. */
export function whereIn(map: gl.Map): Where {
  const center = toPlace(map.getCenter());
  const places = map.querySourceFeatures(PLACES, { sourceLayer: PLACES }).map((feature) => {
    const name = String(feature.properties[language.value] ?? feature.properties['name']);
    return { name, ...distanceFrom(placeAt(positionOf(feature)), center) };
  });
  const [nearest] = places.sort((one, other) => one.metres - other.metres);
  return { grid: gridStep(metresPerPixel(map.getZoom(), center.latitude)), ...(nearest && { nearest }) };
}

/** Metres of the earth that a pixel shows. */
const metresPerPixel = (zoom: number, latitude: number): number =>
  (METRES_PER_DEGREE * 360 * Math.cos((latitude * Math.PI) / 180)) / 512 / 2 ** zoom;

/** The distance between the lines of the grid, a round number of metres. */
function gridStep(metresOfPixel: number): number {
  const least = metresOfPixel * 90;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
}

/** A metric grid around a place, from north to south and from west to east. @param reach how far it goes, in metres */
function gridAround({ latitude, longitude }: Place, step: number, reach: number): FeatureCollection {
  // Lines stay where they are when the map moves a little.
  const across = METRES_PER_DEGREE * Math.cos((Math.round(latitude * 10) * Math.PI) / 1_800);
  const lines = (middle: number, perDegree: number): number[] => {
    const [first, count] = [Math.ceil((middle * perDegree - reach) / step), Math.floor((2 * reach) / step)];
    return Array.from({ length: count }, (_, index) => ((first + index) * step) / perDegree);
  };
  const [up, right] = [reach / METRES_PER_DEGREE, reach / across];
  const coordinates = [
    ...lines(longitude, across).map((x) => [[x, latitude - up], [x, latitude + up]]), // prettier-ignore
    ...lines(latitude, METRES_PER_DEGREE).map((y) => [[longitude - right, y], [longitude + right, y]]), // prettier-ignore
  ];
  return { type: 'FeatureCollection', features: [{ type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates } }] };
}

/** How far one place is from another, and in which of eight directions, clockwise from north. */
function distanceFrom(from: Place, to: Place): { metres: number; direction: number } {
  const up = (to.latitude - from.latitude) * METRES_PER_DEGREE;
  const right = (to.longitude - from.longitude) * METRES_PER_DEGREE * Math.cos((from.latitude * Math.PI) / 180);
  return { metres: Math.hypot(up, right), direction: (Math.round(Math.atan2(right, up) / (Math.PI / 4)) + 8) % 8 };
}
