import type { FeatureCollection, Position } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { language } from '../../../texts.js';
import type { Place } from '../access-node.js';

const NAMES = ['water', 'land', 'border', 'name', 'planned', 'construction', 'operation', 'search', 'selected'] as const;
export type Colours = Readonly<Record<(typeof NAMES)[number], string>>;

/** The current colours of the map from the style sheet: `--map-water` and so on, light or dark. */
export function coloursAt(element: Element): Colours {
  const probe = element.appendChild(document.createElement('span'));
  const colours = NAMES.map((name) => {
    probe.style.color = `var(--map-${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Colours;
}

export const NODES = 'nodes';
export const SEARCH = 'search';
/** The layers of a tile. The map shows one of them: single nodes, or cells as soon as a tile in view has too many nodes. */
export const TILE_LAYERS = ['nodes', 'cells'] as const;
export type TileLayer = (typeof TILE_LAYERS)[number];
/** Layers of the map, keyed by the tile layer that they draw. */
export const DRAWN: Record<TileLayer, readonly string[]> = { nodes: ['nodes', 'nodes-holes'], cells: ['cells', 'cells-holes', 'counts'] };
/** Layers that can be clicked. */
export const CLICKABLE = ['nodes', 'cells', 'counts'];
/** Deepest zoom level of the tiles. */
export const MAX_ZOOM = 22;

const isCell: ExpressionSpecification = ['has', 'count'];
/** Large counts are rounded to two significant digits; hovering shows more. */
const scale: ExpressionSpecification = ['^', 10, ['max', 0, ['-', ['floor', ['log10', ['get', 'count']]], 1]]];
const rounded: ExpressionSpecification = ['*', ['round', ['/', ['get', 'count'], scale]], scale];
const inUnits = (unit: number, name: string): ExpressionSpecification => [
  'concat',
  ['number-format', ['/', rounded, unit], { locale: language.value, 'max-fraction-digits': 1 }],
  name,
];
const shownCount = (): ExpressionSpecification => [
  'case',
  ['>=', ['get', 'count'], 1_000_000],
  inUnits(1_000_000, 'M'),
  ['>=', ['get', 'count'], 1_000],
  inUnits(1_000, 'k'),
  ['to-string', ['get', 'count']],
];
/** Number of parts in a ring. */
const PARTS = 12;
const part = (token: string): ExpressionSpecification => ['round', ['/', ['*', PARTS, ['get', token]], ['get', 'count']]];
const RING = 'ring/';
/** Size in pixels. */
const RING_SIZE = 40;
const RING_WIDTH = 5;

/** Draws the ring of a cell, which shows the share of each stage. @param id id of the image, as in the layer `counts` */
export function ringOf(id: string, colours: Colours): ImageData | undefined {
  if (!id.startsWith(RING)) return undefined;
  const shares = id.slice(RING.length).split('/').map(Number);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const context = new OffscreenCanvas(RING_SIZE * 2, RING_SIZE * 2).getContext('2d')!;
  context.scale(2, 2);
  context.translate(RING_SIZE / 2, RING_SIZE / 2);
  const circle = (radius: number, from: number, to: number): void => {
    context.beginPath();
    context.arc(0, 0, radius, from, to);
  };
  context.fillStyle = colours.land;
  circle(RING_SIZE / 2, 0, 2 * Math.PI);
  context.fill();
  context.lineWidth = RING_WIDTH;
  let at = -Math.PI / 2;
  for (const [index, share] of shares.entries()) {
    const to = at + (2 * Math.PI * share) / whole;
    context.strokeStyle = [colours.planned, colours.construction, colours.operation][index]!;
    circle((RING_SIZE - RING_WIDTH) / 2 - 1, at, to);
    if (share > 0) context.stroke();
    at = to;
  }
  return context.getImageData(0, 0, RING_SIZE * 2, RING_SIZE * 2);
}
const isSelected: ExpressionSpecification = ['boolean', ['feature-state', 'selected'], false];
const isPointedAt: ExpressionSpecification = ['any', ['boolean', ['feature-state', 'hover'], false], isSelected];
const hole = (usual: number): ExpressionSpecification => ['*', usual, ['case', ['==', ['get', 'token'], 'planned'], 0.7, 0.4]];
const radius = (usual: number): ExpressionSpecification => ['case', isPointedAt, usual + 2.5, usual];

/** URL of the tiles, handled by the protocol that the map registers. */
export const nodesSource = (tiles: string): SourceSpecification => ({
  type: 'vector',
  tiles: [tiles],
  minzoom: 0,
  maxzoom: MAX_ZOOM,
  promoteId: { nodes: 'node_id', cells: 'node_id' },
});

/** Layers for single nodes: the nodes of a tile, or nodes that are the only ones in their cell. */
const pointLayers = (layer: TileLayer, colours: Colours): LayerSpecification[] => [
  {
    id: layer,
    type: 'circle',
    source: NODES,
    'source-layer': layer,
    filter: ['!', isCell],
    paint: {
      'circle-color': ['match', ['get', 'token'], 'planned', colours.planned, 'construction', colours.construction, colours.operation],
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, radius(3.5), 9, radius(4.5), 14, radius(6.5), 18, radius(9)],
      'circle-stroke-color': ['case', isSelected, colours.selected, colours.land],
      'circle-stroke-width': ['case', isSelected, 3, 1],
    },
  },
  // A hole distinguishes the stages without relying on colour: planned is a thin ring, under construction a thick one.
  {
    id: `${layer}-holes`,
    type: 'circle',
    source: NODES,
    'source-layer': layer,
    filter: ['all', ['!', isCell], ['!=', ['get', 'token'], 'operation']],
    paint: {
      'circle-color': colours.land,
      'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, hole(3.5), 9, hole(4.5), 14, hole(6.5), 18, hole(9)],
    },
  },
];

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
  ...pointLayers('nodes', colours),
  ...pointLayers('cells', colours),
  {
    id: 'counts',
    type: 'symbol',
    source: NODES,
    'source-layer': 'cells',
    filter: isCell,
    layout: {
      'icon-image': ['concat', RING, part('planned'), '/', part('construction'), '/', part('operation')],
      'icon-size': ['interpolate', ['linear'], ['log10', ['get', 'count']], 0, 0.6, 3, 0.85, 5, 1.1],
      'icon-allow-overlap': true,
      'text-field': ['concat', ['case', ['has', 'estimated'], '≈', ''], shownCount()],
      'text-font': ['sans-serif'],
      'text-size': ['interpolate', ['linear'], ['log10', ['get', 'count']], 0, 11, 5, 12.5],
      'text-allow-overlap': true,
      'symbol-sort-key': ['get', 'count'],
    },
    paint: { 'text-color': colours.selected },
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
    layout: {
      'text-field': ['get', 'quality'],
      'text-font': ['sans-serif'],
      'text-size': 12,
      'text-allow-overlap': true,
      'text-ignore-placement': true,
    },
    paint: { 'text-color': colours.selected },
  },
];

/** The area and the results of a search. */
export interface DrawnSearch {
  /** Absent if many places were searched. */
  readonly circle?: { readonly center: Place; readonly metres: number };
  readonly found: readonly (Place & { readonly quality: string })[];
}

const METRES_PER_DEGREE = 111_195;
const CORNERS = 90;

/** The circle is calculated on a plane, which looks the same as on the ellipsoid that the service uses. */
export function drawingOf(search: DrawnSearch | undefined): FeatureCollection {
  if (!search) return { type: 'FeatureCollection', features: [] };
  const point = ({ latitude, longitude }: Place, properties: object) => ({
    type: 'Feature' as const,
    properties: { ...properties },
    geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
  });
  const { circle, found } = search;
  const features: FeatureCollection['features'] = found.map((one) => point(one, { quality: one.quality }));
  if (circle) {
    const corners = Array.from({ length: CORNERS + 1 }, (_, corner) => (2 * Math.PI * corner) / CORNERS);
    const ring = corners.map((bearing) => placeAround(circle.center, circle.metres, bearing));
    features.unshift({ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }, point(circle.center, {}));
  }
  return { type: 'FeatureCollection', features };
}

function placeAround({ latitude, longitude }: Place, metres: number, bearing: number): Position {
  const degrees = metres / METRES_PER_DEGREE;
  const across = degrees / Math.cos((latitude * Math.PI) / 180);
  return [longitude + across * Math.sin(bearing), latitude + degrees * Math.cos(bearing)];
}
