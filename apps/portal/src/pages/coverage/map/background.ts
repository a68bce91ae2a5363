import type { StyleSpecification } from 'maplibre-gl';
import { page } from '../../../configuration.js';
import { language } from '../../../texts.js';
import type { Colours } from './colours.js';

/** Square degrees; smaller countries get their name at deeper zoom levels. */
const LARGE = 30;

/** What the map shows below the nodes: land, borders and names. Letters are drawn by the browser, so no font is fetched. */
export function backgroundStyle(colours: Colours): StyleSpecification {
  return {
    version: 8,
    sources: {
      background: {
        type: 'vector',
        tiles: [`${location.origin}${page('map')}/{z}/{x}/{y}.mvt`],
        maxzoom: 5,
        attribution: 'Natural Earth, GeoNames',
      },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'land', type: 'fill', source: 'background', 'source-layer': 'land', paint: { 'fill-color': colours.land } },
      {
        id: 'coast',
        type: 'line',
        source: 'background',
        'source-layer': 'land',
        paint: { 'line-color': colours.border, 'line-width': 0.6 },
      },
      {
        id: 'borders',
        type: 'line',
        source: 'background',
        'source-layer': 'borders',
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colours.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.2, 12, 2] },
      },
      {
        id: 'names',
        type: 'symbol',
        source: 'background',
        'source-layer': 'names',
        maxzoom: 9,
        filter: ['any', ['>', ['get', 'area'], LARGE], ['>=', ['zoom'], 4]],
        layout: {
          'text-field': ['get', language.value],
          'text-font': ['sans-serif'],
          'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10, 6, 14],
          'text-letter-spacing': 0.08,
          'symbol-sort-key': ['-', 0, ['get', 'area']],
          'text-padding': 8,
        },
        paint: { 'text-color': colours.name, 'text-halo-color': colours.land, 'text-halo-width': 1.5 },
      },
      {
        id: 'towns',
        type: 'symbol',
        source: 'background',
        'source-layer': 'towns',
        minzoom: 7.5,
        filter: ['>=', ['get', 'people'], ['step', ['zoom'], 50_000, 8.5, 15_000, 10, 0]],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['sans-serif'],
          'text-size': ['interpolate', ['linear'], ['log10', ['get', 'people']], 4, 11, 6, 14],
          // Beside what stands in the middle of the town.
          'text-offset': [0, 1],
          'symbol-sort-key': ['-', 0, ['get', 'people']],
          'text-padding': 6,
        },
        paint: { 'text-color': colours.name, 'text-halo-color': colours.land, 'text-halo-width': 1.5 },
      },
    ],
  };
}
