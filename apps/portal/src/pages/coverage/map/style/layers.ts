import type { FeatureCollection } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import { language } from '../../../../texts.js';
import type { Colours } from './colours.js';
import { areaLayers, foundLayers, SEARCH } from './drawn-search.js';
import { RING } from './images.js';
import { GRID, gridLayer } from './streets.js';

export const NODES = 'nodes';
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
const isSelected: ExpressionSpecification = ['==', ['get', 'node_id'], ['global-state', 'selected']];
const hole = (usual: number): ExpressionSpecification => ['*', usual, ['case', ['==', ['get', 'token'], 'planned'], 0.7, 0.4]];
const radius = (usual: number): ExpressionSpecification => ['case', isSelected, usual + 2.5, usual];

/** URL of the tiles, handled by the protocol that the map registers. */
const nodesSource = (tiles: string): SourceSpecification => ({ type: 'vector', tiles: [tiles], minzoom: 0, maxzoom: MAX_ZOOM });

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

const cellLayer = { type: 'symbol', source: NODES, 'source-layer': 'cells', filter: isCell } as const;
const ring: ExpressionSpecification = ['concat', RING, part('planned'), '/', part('construction'), '/', part('operation')];

const nodeLayers = (colours: Colours): LayerSpecification[] => [
  ...areaLayers(colours),
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
  ...foundLayers(colours),
];

/** Where names and counts compete for room, the last of these layers win. */
const SYMBOLS = ['rings', 'villages', 'other', 'counts', 'search-qualities'];

/** The layers of the background and the nodes, from the lowest to the highest. */
const inOrder = (layers: readonly LayerSpecification[]): LayerSpecification[] => {
  const rank = ({ id, type }: LayerSpecification): number =>
    type === 'symbol' ? SYMBOLS.indexOf(SYMBOLS.includes(id) ? id : 'other') : -1;
  return layers.toSorted((one, other) => rank(one) - rank(other));
};

/** What the map shows on its background. */
interface Drawn {
  readonly shown: TileLayer;
  readonly selected: string;
  readonly drawing: FeatureCollection;
  readonly grid: FeatureCollection;
  /** URL of the tiles of the nodes. */
  readonly tiles: string;
}

/** The style of the background, with everything that the portal draws on it. */
export const withNodes = (
  style: StyleSpecification,
  colours: Colours,
  { shown, selected, drawing, grid, tiles }: Drawn,
): StyleSpecification => ({
  ...style,
  state: { ...style.state, shown: { default: shown }, selected: { default: selected } },
  sources: {
    ...style.sources,
    [SEARCH]: { type: 'geojson', data: drawing },
    [GRID]: { type: 'geojson', data: grid },
    [NODES]: nodesSource(tiles),
  },
  layers: inOrder([...style.layers, gridLayer(colours), ...nodeLayers(colours)]),
});
