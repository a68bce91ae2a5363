import type { FeatureCollection, Position } from 'geojson';
import maplibre from 'maplibre-gl/dist/maplibre-gl-csp.js';
import type { ExpressionSpecification, LayerSpecification, LngLatBounds } from 'maplibre-gl';
import type { Place } from '../../access-node.js';
import { METRES_PER_DEGREE, toLngLat } from '../positions.js';
import { colourOf, type Colours } from './colours.js';
import { DISC } from './images.js';

export const SEARCH = 'search';
export const NOTHING: FeatureCollection = { type: 'FeatureCollection', features: [] };
const isArea: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
const quality: ExpressionSpecification = ['get', 'quality'];

/** The area of a search, beneath the nodes. */
export const areaLayers = (colours: Colours): LayerSpecification[] => [
  { id: 'search-area', type: 'fill', source: SEARCH, filter: isArea, paint: { 'fill-color': colours.search, 'fill-opacity': 0.1 } },
  { id: 'search-edge', type: 'line', source: SEARCH, filter: isArea, paint: { 'line-color': colours.search, 'line-width': 1.5 } },
];

/** What a search found, above the nodes. */
export const foundLayers = (colours: Colours): LayerSpecification[] => [
  {
    id: 'search-places',
    type: 'circle',
    source: SEARCH,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      // A hollow mark says that nothing is there.
      'circle-color': ['case', ['has', 'missed'], colours.land, ['to-color', ['get', 'colour']]],
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, 3, 12, 5],
      'circle-stroke-color': ['case', ['has', 'missed'], ['to-color', ['get', 'colour']], colours.land],
      'circle-stroke-width': ['case', ['has', 'missed'], 2, 1],
    },
  },
  // The letters too: the nearest nodes come first, and where there is no room the dots tell the quality by their colour.
  {
    id: 'search-qualities',
    type: 'symbol',
    source: SEARCH,
    filter: ['has', 'quality'],
    layout: {
      'icon-image': ['concat', DISC, quality],
      'icon-size': 0.6,
      'icon-padding': 1,
      'text-field': quality,
      'text-font': ['Bold', 'sans-serif'],
      'text-size': 12,
      'text-padding': 0,
    },
    paint: { 'text-color': colours.land },
  },
];

/** The area and the results of a search. */
export interface DrawnSearch {
  /** Absent if many places were searched. */
  readonly circle?: { readonly center: Place; readonly metres: number };
  /** The nodes, for a file of addresses the nearest to each. */
  readonly found: readonly (Place & { readonly quality: string })[];
  /** Where nothing was found. */
  readonly missed?: readonly Place[];
}

const CORNERS = 90;

/** Where the search was, and what it found. */
export function areaOf({ circle, found, missed = [] }: DrawnSearch): LngLatBounds {
  const area = circle
    ? maplibre.LngLatBounds.fromLngLat(maplibre.LngLat.convert(toLngLat(circle.center)), circle.metres)
    : new maplibre.LngLatBounds();
  // What was found matters more; without it, the map shows where nothing was.
  for (const place of found.length > 0 ? found : missed) area.extend(toLngLat(place));
  return area;
}

/** The circle is calculated on a plane, which looks the same as on the ellipsoid that the service uses. */
export function drawingOf(search: DrawnSearch | undefined, colours: Colours): FeatureCollection {
  if (!search) return NOTHING;
  const point = ({ latitude, longitude }: Place, colour: keyof Colours, properties?: object) => ({
    type: 'Feature' as const,
    properties: { colour: colours[colour], ...properties },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  });
  const { circle, found, missed } = search;
  const features: FeatureCollection['features'] = (missed ?? []).map((one) => point(one, 'name', { missed: true }));
  for (const one of found) features.push(point(one, colourOf(one.quality), { quality: one.quality }));
  if (circle) {
    const corners = Array.from({ length: CORNERS + 1 }, (_, corner) => (2 * Math.PI * corner) / CORNERS);
    const ring = corners.map((bearing) => placeAround(circle.center, circle.metres, bearing));
    features.unshift(
      { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } },
      point(circle.center, 'search'),
    );
  }
  return { type: 'FeatureCollection', features };
}

function placeAround({ latitude, longitude }: Place, metres: number, bearing: number): Position {
  const degrees = metres / METRES_PER_DEGREE;
  const across = degrees / Math.cos((latitude * Math.PI) / 180);
  return [longitude + across * Math.sin(bearing), latitude + degrees * Math.cos(bearing)];
}
