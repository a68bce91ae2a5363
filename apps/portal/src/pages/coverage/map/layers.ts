import type { FeatureCollection, Position } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { language } from '../../../texts.js';
import type { Place } from '../access-node.js';
import type { Colours } from './colours.js';

export const NODES = 'nodes';
export const SEARCH = 'search';
/** What can be clicked. */
export const CLICKABLE = ['points', 'cells'];
/** Deepest zoom level of the tiles. */
export const MAX_ZOOM = 22;

const isCell: ExpressionSpecification = ['has', 'count'];
/** An estimate has two digits that say something. */
const scale: ExpressionSpecification = ['^', 10, ['max', 0, ['-', ['floor', ['log10', ['get', 'count']]], 1]]];
const shownCount: ExpressionSpecification = [
  'case',
  ['has', 'estimated'],
  ['*', ['round', ['/', ['get', 'count'], scale]], scale],
  ['get', 'count'],
];
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false];
const isPointedAt: ExpressionSpecification = ['any', ['boolean', ['feature-state', 'hover'], false], isSelected];
const hole = (usual: number): ExpressionSpecification => ['*', usual, ['case', ['==', ['get', 'token'], 'planned'], 0.7, 0.4]];
const radius = (usual: number): ExpressionSpecification => ['case', isPointedAt, usual + 2.5, usual];

/** Whose tiles the map asks for; the answer comes from the protocol that the map registers. */
export const nodesSource = (tiles: string): SourceSpecification => ({
  type: 'vector',
  tiles: [tiles],
  minzoom: 0,
  maxzoom: MAX_ZOOM,
  promoteId: { nodes: 'node_id' },
});

export const nodeLayers = (colours: Colours): LayerSpecification[] => [
  {
    id: 'search-area',
    type: 'fill',
    source: SEARCH,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': colours.search, 'fill-opacity': 0.12 },
  },
  {
    id: 'search-edge',
    type: 'line',
    source: SEARCH,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'line-color': colours.search, 'line-width': 1.5 },
  },
  {
    id: 'cells',
    type: 'circle',
    source: NODES,
    'source-layer': 'nodes',
    filter: isCell,
    paint: {
      'circle-color': colours.cell,
      'circle-opacity': 0.75,
      'circle-radius': ['interpolate', ['linear'], ['log10', ['get', 'count']], 0, 3, 2, 7, 4, 11, 6, 16],
      'circle-stroke-color': colours.land,
      'circle-stroke-width': 1,
    },
  },
  {
    id: 'points',
    type: 'circle',
    source: NODES,
    'source-layer': 'nodes',
    filter: ['!', isCell],
    paint: {
      'circle-color': ['match', ['get', 'token'], 'planned', colours.planned, 'construction', colours.construction, colours.operation],
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, radius(2.6), 9, radius(4), 14, radius(6.5), 18, radius(9)],
      'circle-stroke-color': ['case', isSelected, colours.selected, colours.land],
      'circle-stroke-width': ['case', isSelected, 3, 1],
    },
  },
  // A hole tells the stages apart for those who do not see the colours: a ring for planned, a thick one for under construction.
  {
    id: 'holes',
    type: 'circle',
    source: NODES,
    'source-layer': 'nodes',
    filter: ['all', ['!', isCell], ['!=', ['get', 'token'], 'operation']],
    paint: {
      'circle-color': colours.land,
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, hole(2.6), 9, hole(4), 14, hole(6.5), 18, hole(9)],
    },
  },
  {
    id: 'counts',
    type: 'symbol',
    source: NODES,
    'source-layer': 'nodes',
    filter: isCell,
    layout: {
      'text-field': ['concat', ['case', ['has', 'estimated'], '≈ ', ''], ['number-format', shownCount, { locale: language.value }]],
      'text-font': ['sans-serif'],
      'text-size': 12,
      'text-anchor': 'top',
      'text-offset': [0, 0.55],
      'symbol-sort-key': ['-', 0, ['get', 'count']],
    },
    paint: { 'text-color': colours.selected, 'text-halo-color': colours.land, 'text-halo-width': 1.6 },
  },
  {
    id: 'search-places',
    type: 'circle',
    source: SEARCH,
    filter: ['==', ['geometry-type'], 'Point'],
    paint: {
      'circle-color': ['case', ['has', 'quality'], colours.land, colours.search],
      'circle-radius': ['case', ['has', 'quality'], 10, 4.5],
      'circle-stroke-color': colours.search,
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'search-qualities',
    type: 'symbol',
    source: SEARCH,
    filter: ['has', 'quality'],
    layout: { 'text-field': ['get', 'quality'], 'text-font': ['sans-serif'], 'text-size': 12, 'text-allow-overlap': true },
    paint: { 'text-color': colours.selected },
  },
];

/** What the search looked at and what it found. */
export interface DrawnSearch {
  readonly center: Place;
  /** Metres. */
  readonly radius: number;
  readonly found: readonly (Place & { readonly quality: string })[];
}

const METRES_PER_DEGREE = 111_195;
const CORNERS = 90;

/** The circle is drawn on a sphere, which no eye tells from the ellipsoid that the service measures on. */
export function drawingOf(search: DrawnSearch | undefined): FeatureCollection {
  if (!search) return { type: 'FeatureCollection', features: [] };
  const point = ({ latitude, longitude }: Place, properties: object) => ({
    type: 'Feature' as const,
    properties: { ...properties },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  });
  const ring = Array.from({ length: CORNERS + 1 }, (_, corner) =>
    placeAround(search.center, search.radius, (2 * Math.PI * corner) / CORNERS),
  );
  return {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } },
      point(search.center, {}),
      ...search.found.map((one) => point(one, { quality: one.quality })),
    ],
  };
}

function placeAround({ latitude, longitude }: Place, metres: number, bearing: number): Position {
  const rad = Math.PI / 180;
  const distance = (metres / METRES_PER_DEGREE) * rad;
  const from = latitude * rad;
  const to = Math.asin(Math.sin(from) * Math.cos(distance) + Math.cos(from) * Math.sin(distance) * Math.cos(bearing));
  const across = Math.atan2(Math.sin(bearing) * Math.sin(distance) * Math.cos(from), Math.cos(distance) - Math.sin(from) * Math.sin(to));
  return [longitude + across / rad, to / rad];
}
