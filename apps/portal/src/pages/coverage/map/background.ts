import type { Feature, FeatureCollection } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import { language } from '../../../texts.js';
import type { Colours } from './colours.js';
import { unrolled } from './unrolled.js';

/** Square degrees; smaller countries get their name when the map is nearer. */
const LARGE = 30;

interface Background {
  readonly land: FeatureCollection;
  readonly borders: Feature;
  readonly names: FeatureCollection;
}
let loading: Promise<Background> | undefined;

/** Natural Earth, in a file of its own that is fetched when somebody first sees the map. */
function loadBackground(): Promise<Background> {
  loading ??= import('virtual:map-background').then(({ default: { topology, names } }) => ({
    land: unrolled(feature(topology, topology.objects.land)),
    borders: { type: 'Feature', properties: {}, geometry: mesh(topology, topology.objects.countries, (one, other) => one !== other) },
    names: {
      type: 'FeatureCollection',
      features: names.map(({ longitude, latitude, ...properties }) => ({
        type: 'Feature',
        properties,
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
      })),
    },
  }));
  return loading;
}

/** What the map shows below the nodes: land, borders and the names of countries. Letters are drawn by the browser, so no font is fetched. */
export async function backgroundStyle(colours: Colours): Promise<StyleSpecification> {
  const { land, borders, names } = await loadBackground();
  const nameOf = new Intl.DisplayNames(language.value, { type: 'region' });
  const named = names.features.map((one) => ({
    ...one,
    properties: { ...one.properties, name: nameOf.of(one.properties!['code'] as string) },
  }));
  const geojson = (data: Feature | FeatureCollection, attribution?: string) => ({
    type: 'geojson' as const,
    data,
    ...(attribution && { attribution }),
  });
  return {
    version: 8,
    sources: {
      land: { ...geojson(land, 'Natural Earth'), tolerance: 0.5 },
      borders: geojson(borders),
      names: geojson({ type: 'FeatureCollection', features: named }),
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
      { id: 'coast', type: 'line', source: 'land', paint: { 'line-color': colours.border, 'line-width': 0.6 } },
      {
        id: 'borders',
        type: 'line',
        source: 'borders',
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colours.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.2, 12, 2] },
      },
      {
        id: 'names',
        type: 'symbol',
        source: 'names',
        maxzoom: 9,
        filter: ['any', ['>', ['get', 'area'], LARGE], ['>=', ['zoom'], 4]],
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['sans-serif'],
          'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10, 6, 14],
          'text-letter-spacing': 0.08,
          'symbol-sort-key': ['-', 0, ['get', 'area']],
          'text-padding': 8,
        },
        paint: { 'text-color': colours.name, 'text-halo-color': colours.land, 'text-halo-width': 1.5 },
      },
    ],
  };
}
