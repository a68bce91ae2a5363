import type { FeatureCollection, Position } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import { language } from '../../../texts.js';
import type { Place } from '../access-node.js';

/** What says where the map is at the level of streets: the grid, and the nearest place with its distance and direction. */
export interface Where {
  readonly grid: number;
  readonly nearest?: { readonly name: string; readonly metres: number; readonly direction: number };
}

/** The qualities that have a colour of their own; all others share one. */
const QUALITIES = ['a', 'b', 'c'] as const;
const STAGES = ['planned', 'construction', 'operation'] as const;
const GROUND = ['water', 'land', 'coast', 'border', 'grid', 'name', 'town'] as const;
const NAMES = [...GROUND, ...STAGES, 'search', 'selected', ...QUALITIES, 'other'] as const;
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
export const GRID = 'grid';
/** The layers of a tile. The map shows one of them: single nodes, or cells as soon as a tile in view has too many nodes. */
export type TileLayer = 'nodes' | 'cells';
/** The same tile layer is shown for all tiles, so that no view shows cells in one tile and single nodes in the next. */
const whenShown = (layer: TileLayer): { visibility: ExpressionSpecification } => ({
  visibility: ['case', ['==', ['global-state', 'shown'], layer], 'visible', 'none'],
});
/** Layers that together have each node or cell once. */
export const COUNTED = ['nodes', 'cells', 'rings'];
/** Layers that can be clicked. */
export const CLICKABLE = [...COUNTED, 'counts'];
/** Deepest zoom level of the tiles. */
export const MAX_ZOOM = 22;

const isCell: ExpressionSpecification = ['has', 'count'];
const COUNT: ExpressionSpecification = ['get', 'count'];
/** Large counts are rounded to two significant digits; hovering shows more. */
const scale: ExpressionSpecification = ['^', 10, ['max', 0, ['-', ['floor', ['log10', COUNT]], 1]]];
const rounded: ExpressionSpecification = ['*', ['round', ['/', COUNT, scale]], scale];
const inUnits = (unit: number, name: string): ExpressionSpecification => [
  'concat',
  ['number-format', ['/', rounded, unit], { locale: language.value, 'max-fraction-digits': 1 }],
  name,
];
/** Number of parts in a ring. */
const PARTS = 12;
const part = (token: string): ExpressionSpecification => ['round', ['/', ['*', PARTS, ['get', token]], COUNT]];
const RING = 'ring/';
const DISC = 'disc/';
/** Size in pixels. */
const RING_SIZE = 40;
const RING_WIDTH = 4;

/**
 * Draws the ring of a cell, which shows the share of each stage, or the disc behind the letter of a quality.
 *
 * @param id id of the image, as in the layers `rings` and `search-qualities`
 */
export function imageOf(id: string, colours: Colours): ImageData | undefined {
  const isDisc = id.startsWith(DISC);
  if (!id.startsWith(RING) && !isDisc) return undefined;
  const shares = isDisc ? [] : id.slice(RING.length).split('/').map(Number);
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
  if (isDisc) {
    context.fillStyle = colours[colourOf(id.slice(DISC.length))];
    circle(RING_SIZE / 2 - 3, 0, 2 * Math.PI);
    context.fill();
  }
  context.lineWidth = RING_WIDTH;
  let at = -Math.PI / 2;
  for (const [index, share] of shares.entries()) {
    const to = at + (2 * Math.PI * share) / whole;
    context.strokeStyle = colours[STAGES[index]!];
    circle((RING_SIZE - RING_WIDTH) / 2 - 1, at, to);
    if (share > 0) context.stroke();
    at = to;
  }
  return context.getImageData(0, 0, RING_SIZE * 2, RING_SIZE * 2);
}

/** The name of the colour of a quality. */
export const colourOf = (quality: string): keyof Colours => QUALITIES.find((name) => name === quality.toLowerCase()) ?? 'other';

const isSelected: ExpressionSpecification = ['==', ['get', 'node_id'], ['global-state', 'selected']];
const hole = (usual: number): ExpressionSpecification => ['*', usual, ['case', ['==', ['get', 'token'], 'planned'], 0.7, 0.4]];
const radius = (usual: number): ExpressionSpecification => ['case', isSelected, usual + 2.5, usual];

/** URL of the tiles, handled by the protocol that the map registers. */
export const nodesSource = (tiles: string): SourceSpecification => ({ type: 'vector', tiles: [tiles], minzoom: 0, maxzoom: MAX_ZOOM });

/** Layers for single nodes: the nodes of a tile, or nodes that are the only ones in their cell. */
function pointLayers(layer: TileLayer, colours: Colours): LayerSpecification[] {
  const circles = { type: 'circle', source: NODES, 'source-layer': layer, layout: whenShown(layer) } as const;
  return [
    {
      ...circles,
      id: layer,
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
      ...circles,
      id: `${layer}-holes`,
      filter: ['all', ['!', isCell], ['!=', ['get', 'token'], 'operation']],
      paint: {
        'circle-color': colours.land,
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 5, hole(3.5), 9, hole(4.5), 14, hole(6.5), 18, hole(9)],
      },
    },
  ];
}

/** The lines of the grid, which are beneath everything but the background. */
export const gridLayer = (colours: Colours): LayerSpecification => ({
  id: GRID,
  type: 'line',
  source: GRID,
  paint: { 'line-color': colours.grid, 'line-width': 1 },
});

const cellLayer = { type: 'symbol', source: NODES, 'source-layer': 'cells', filter: isCell } as const;
const ring: ExpressionSpecification = ['concat', RING, part('planned'), '/', part('construction'), '/', part('operation')];
const isArea: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
const quality: ExpressionSpecification = ['get', 'quality'];

export const nodeLayers = (colours: Colours): LayerSpecification[] => [
  { id: 'search-area', type: 'fill', source: SEARCH, filter: isArea, paint: { 'fill-color': colours.search, 'fill-opacity': 0.1 } },
  { id: 'search-edge', type: 'line', source: SEARCH, filter: isArea, paint: { 'line-color': colours.search, 'line-width': 1.5 } },
  ...pointLayers('nodes', colours),
  ...pointLayers('cells', colours),
  // The size always tells the count; of rings that overlap, the largest is on top.
  {
    ...cellLayer,
    id: 'rings',
    layout: {
      ...whenShown('cells'),
      'icon-image': ring,
      'icon-size': ['interpolate', ['linear'], ['log10', COUNT], 0, 0.5, 2, 0.78, 3, 1, 5, 1.25],
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
      'symbol-sort-key': COUNT,
    },
  },
  // A count that would cover another one is left out.
  {
    ...cellLayer,
    id: 'counts',
    layout: {
      ...whenShown('cells'),
      'text-field': ['step', COUNT, ['to-string', COUNT], 1_000, inUnits(1_000, 'k'), 1_000_000, inUnits(1_000_000, 'M')],
      'text-font': ['sans-serif'],
      'text-size': ['interpolate', ['linear'], ['log10', COUNT], 0, 11, 5, 13],
      'text-padding': 1,
      'symbol-sort-key': ['-', 0, COUNT],
    },
    paint: { 'text-color': colours.selected },
  },
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

/** Where names and counts compete for room, the last of these layers win. */
const SYMBOLS = ['rings', 'villages', 'other', 'counts', 'search-qualities'];

/** The layers of the background and the nodes, from the lowest to the highest. */
export const inOrder = (layers: readonly LayerSpecification[]): LayerSpecification[] => {
  const rank = ({ id, type }: LayerSpecification): number =>
    type === 'symbol' ? SYMBOLS.indexOf(SYMBOLS.includes(id) ? id : 'other') : -1;
  return layers.toSorted((one, other) => rank(one) - rank(other));
};

/** The area and the results of a search. */
export interface DrawnSearch {
  /** Absent if many places were searched. */
  readonly circle?: { readonly center: Place; readonly metres: number };
  /** The nodes, for a file of addresses the nearest to each. */
  readonly found: readonly (Place & { readonly quality: string })[];
  /** Where nothing was found. */
  readonly missed?: readonly Place[];
}

const METRES_PER_DEGREE = 111_195;
const CORNERS = 90;

/** The circle is calculated on a plane, which looks the same as on the ellipsoid that the service uses. */
export function drawingOf(search: DrawnSearch | undefined, colours: Colours): FeatureCollection {
  if (!search) return { type: 'FeatureCollection', features: [] };
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

/** Metres of the earth that a pixel shows. */
export const metresPerPixel = (zoom: number, latitude: number): number =>
  (METRES_PER_DEGREE * 360 * Math.cos((latitude * Math.PI) / 180)) / 512 / 2 ** zoom;

/** The distance between the lines of the grid, a round number of metres. */
export function gridStep(metresOfPixel: number): number {
  const least = metresOfPixel * 90;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
}

/** A metric grid around a place, from north to south and from west to east. @param reach how far it goes, in metres */
export function gridAround({ latitude, longitude }: Place, step: number, reach: number): FeatureCollection {
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
export function distanceFrom(from: Place, to: Place): { metres: number; direction: number } {
  const up = (to.latitude - from.latitude) * METRES_PER_DEGREE;
  const right = (to.longitude - from.longitude) * METRES_PER_DEGREE * Math.cos((from.latitude * Math.PI) / 180);
  return { metres: Math.hypot(up, right), direction: (Math.round(Math.atan2(right, up) / (Math.PI / 4)) + 8) % 8 };
}
