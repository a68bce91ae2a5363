import type { Feature, FeatureCollection } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import { feature, mesh } from 'topojson-client';
import { language } from '../../../texts.js';
import type { Background } from 'virtual:map-background/world';
import type { Colours } from './colours.js';
import { unrolled } from './unrolled.js';

/** Square degrees; smaller countries get their name at deeper zoom levels. */
const LARGE = 30;

const point = (longitude: number, latitude: number, properties: object): Feature => ({
  type: 'Feature',
  properties: { ...properties },
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
});
const collection = (features: Feature[] = []): FeatureCollection => ({ type: 'FeatureCollection', features });

function outlinesOf({ topology }: Background): { land: FeatureCollection; borders: Feature } {
  return {
    land: unrolled(feature(topology, topology.objects.land)),
    borders: { type: 'Feature', properties: {}, geometry: mesh(topology, topology.objects.countries, (one, other) => one !== other) },
  };
}

/** What takes the place of a source of the background from a zoom level on, fetched when the map first comes so near. */
export const NEARER: readonly { readonly zoom: number; readonly load: () => Promise<Record<string, Feature | FeatureCollection>> }[] = [
  { zoom: 7.5, load: async () => outlinesOf((await import('virtual:map-background/near')).default) },
  {
    zoom: 7.5,
    load: async () => {
      const { default: towns } = await import('virtual:map-background/towns');
      return { towns: collection(towns.map(([name, longitude, latitude, people]) => point(longitude, latitude, { name, people }))) };
    },
  },
];

/** What the map shows below the nodes: land, borders and names. Letters are drawn by the browser, so no font is fetched. */
export async function backgroundStyle(colours: Colours): Promise<StyleSpecification> {
  const { default: world } = await import('virtual:map-background/world');
  const { land, borders } = outlinesOf(world);
  const nameOf = new Intl.DisplayNames(language.value, { type: 'region' });
  const names = world.names.map(({ longitude, latitude, code, area }) => point(longitude, latitude, { area, name: nameOf.of(code) }));
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
      names: geojson(collection(names)),
      towns: geojson(collection(), 'GeoNames'),
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
      {
        id: 'towns',
        type: 'symbol',
        source: 'towns',
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
