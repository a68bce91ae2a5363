import type { ExpressionSpecification, StyleSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { page } from '../../../../configuration.js';
import { language } from '../../../../texts.js';
import type { Colours } from './colours.js';

/** The source and the layer with every place in Europe. */
export const PLACES = 'places';

const PEOPLE: ExpressionSpecification = ['get', 'people'];
const NAME_SIZE: ExpressionSpecification = ['interpolate', ['linear'], ['log10', ['max', 100, PEOPLE]], 3, 11, 4.5, 12.5, 6, 16];

/**
 * What the map shows beneath the nodes: land, lakes, borders and names, which are the more prominent the more people live there. The
 * browser draws the letters, so no font is fetched.
 */
export function backgroundStyle(colours: Colours): StyleSpecification {
  const source = 'background';
  const tiles = (folder: string): string[] => [`${location.origin}${page(folder)}/{z}/{x}/{y}.mvt`];
  const halo = { 'text-halo-color': colours.land, 'text-halo-width': 1.6 };
  /** Names beside what is at the place itself, on whichever side there is room. */
  const names = (id: string, from: string, isLarge: boolean): Omit<SymbolLayerSpecification, 'filter'> => ({
    id,
    type: 'symbol',
    source: from,
    'source-layer': from === PLACES ? PLACES : 'towns',
    layout: {
      // GeoNames has few names in other languages.
      'text-field': ['coalesce', ['get', language.value], ['get', 'name']],
      'text-font': isLarge ? ['Medium', 'sans-serif'] : ['sans-serif'],
      'text-size': NAME_SIZE,
      'text-padding': 6,
      'text-max-width': 8,
      'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
      'text-radial-offset': ['interpolate', ['linear'], ['zoom'], 5, 0.4, 8, 1.2],
      'text-justify': 'auto',
      'symbol-sort-key': ['-', ['case', ['has', 'capital'], -1e7, 0], PEOPLE],
    },
    paint: { 'text-color': isLarge ? colours.town : colours.name, ...halo },
  });
  return {
    version: 8,
    sources: {
      background: { type: 'vector', tiles: tiles('map'), maxzoom: 5, attribution: 'Natural Earth, GeoNames' },
      [PLACES]: { type: 'vector', tiles: tiles('map/places'), minzoom: 7, maxzoom: 7, bounds: [-25, 34, 45, 72] },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'land', type: 'fill', source, 'source-layer': 'land', paint: { 'fill-color': colours.land } },
      { id: 'lakes', type: 'fill', source, 'source-layer': 'lakes', paint: { 'fill-color': colours.water } },
      { id: 'coast', type: 'line', source, 'source-layer': 'land', paint: { 'line-color': colours.coast, 'line-width': 0.8 } },
      { id: 'shores', type: 'line', source, 'source-layer': 'lakes', paint: { 'line-color': colours.coast, 'line-width': 0.6 } },
      {
        id: 'provinces',
        type: 'line',
        source,
        'source-layer': 'provinces',
        minzoom: 5,
        paint: { 'line-color': colours.border, 'line-width': 0.8, 'line-dasharray': [3, 2], 'line-opacity': 0.55 },
      },
      {
        id: 'borders',
        type: 'line',
        source,
        'source-layer': 'borders',
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colours.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.6, 12, 3] },
      },
      {
        ...names('villages', PLACES, false),
        minzoom: 8.5,
        filter: ['all', ['<', PEOPLE, 20_000], ['>=', PEOPLE, ['step', ['zoom'], 8_000, 9.5, 3_000, 10.5, 0]]],
      },
      {
        ...names('towns', source, false),
        minzoom: 7,
        filter: ['all', ['<', PEOPLE, 100_000], ['>=', PEOPLE, ['step', ['zoom'], 50_000, 8, 0]]],
      },
      {
        ...names('cities', source, true),
        minzoom: 4,
        filter: ['any', ['has', 'capital'], ['>=', PEOPLE, ['step', ['zoom'], 1_000_000, 5, 500_000, 6, 200_000, 7, 100_000]]],
      },
      {
        id: 'names',
        type: 'symbol',
        source,
        'source-layer': 'names',
        maxzoom: 8,
        // In square degrees: the names of small countries only appear at deeper zoom levels.
        filter: ['>', ['get', 'area'], ['step', ['zoom'], 30, 4, 2, 5, 0.5, 6, -1]],
        layout: {
          'text-field': ['upcase', ['get', language.value]],
          'text-font': ['sans-serif'],
          'text-size': ['interpolate', ['linear'], ['zoom'], 2, 9.5, 7, 13],
          'text-letter-spacing': 0.16,
          'text-padding': 8,
          'symbol-sort-key': ['-', 0, ['get', 'area']],
        },
        paint: { 'text-color': colours.name, ...halo },
      },
    ],
  };
}
