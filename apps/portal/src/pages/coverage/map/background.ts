import type { StyleSpecification } from 'maplibre-gl';
import { page } from '../../../configuration.js';
import { language } from '../../../texts.js';
import type { Colours } from './layers.js';

/** Area in square degrees; the names of smaller countries only appear at deeper zoom levels. */
const LARGE = 30;

/** What the map shows beneath the nodes: land, borders and names. The browser draws the letters, so no font is fetched. */
export function backgroundStyle(colours: Colours): StyleSpecification {
  const source = 'background';
  const text = { 'text-font': ['sans-serif'], 'text-padding': 7 };
  const paint = { 'text-color': colours.name, 'text-halo-color': colours.land, 'text-halo-width': 1.5 };
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
      { id: 'land', type: 'fill', source, 'source-layer': 'land', paint: { 'fill-color': colours.land } },
      { id: 'coast', type: 'line', source, 'source-layer': 'land', paint: { 'line-color': colours.border, 'line-width': 0.6 } },
      {
        id: 'borders',
        type: 'line',
        source,
        'source-layer': 'borders',
        paint: { 'line-color': colours.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.2, 12, 2] },
      },
      {
        id: 'names',
        type: 'symbol',
        source,
        'source-layer': 'names',
        maxzoom: 9,
        filter: ['any', ['>', ['get', 'area'], LARGE], ['>=', ['zoom'], 4]],
        layout: {
          ...text,
          'text-field': ['get', language.value],
          'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10, 6, 14],
          'text-letter-spacing': 0.08,
          'symbol-sort-key': ['-', 0, ['get', 'area']],
        },
        paint,
      },
      {
        id: 'towns',
        type: 'symbol',
        source,
        'source-layer': 'towns',
        minzoom: 7.5,
        filter: ['>=', ['get', 'people'], ['step', ['zoom'], 50_000, 8.5, 15_000, 10, 0]],
        layout: {
          ...text,
          'text-field': ['get', 'name'],
          'text-size': ['interpolate', ['linear'], ['log10', ['get', 'people']], 4, 11, 6, 14],
          // Below the center of the town, so that the name does not cover what is there.
          'text-offset': [0, 1],
          'symbol-sort-key': ['-', 0, ['get', 'people']],
        },
        paint,
      },
    ],
  };
}
