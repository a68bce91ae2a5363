import { createRequire } from 'node:module';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import countryCodes from 'i18n-iso-countries';
import polylabel from 'polylabel';
import { feature, quantize } from 'topojson-client';
import { filter, filterWeight, presimplify, simplify } from 'topojson-simplify';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

type Layers = { countries: GeometryCollection; land: GeometryCollection };

const require = createRequire(import.meta.url);

const NAME = 'virtual:map-background';
/** Square degrees: a bay or an island that takes less is left out. It makes the file half as large, and nobody sees it below zoom level 8. */
const LEAST_DETAIL = 4e-4;
/** About 400 m. */
const STEPS = 1e5;

/**
 * The background of the map as a module: land and countries of Natural Earth (1:10 m) as TopoJSON, less what is too small to be
 * seen, and where the name of each country stands.
 */
export const mapBackground: Plugin = {
  name: 'map-background',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load: (id) => {
    if (id !== `\0${NAME}`) return undefined;
    // JSON.parse of a text is faster than the same as JavaScript.
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(makeBackground()))});`;
  },
};

function makeBackground() {
  const world = presimplify(require('world-atlas/countries-10m.json') as Topology<Layers>);
  const simple = simplify(world, LEAST_DETAIL);
  const topology = quantize(filter(simple, filterWeight(simple, LEAST_DETAIL)), STEPS) as Topology<Layers>;
  const names = feature(topology, topology.objects.countries).features.flatMap(({ id, geometry }) => {
    const code = countryCodes.numericToAlpha2(String(id));
    const largest = largestOf(geometry as Polygon | MultiPolygon);
    if (code === undefined || largest === undefined) return [];
    const [longitude, latitude] = polylabel(largest, 0.1);
    return [{ code, longitude, latitude, area: Math.round(areaOf(largest) * 10) / 10 }];
  });
  const { countries, land } = topology.objects;
  const bare = countries.geometries.map((geometry) => ({ ...geometry, id: undefined, properties: undefined }));
  return { names, topology: { ...topology, objects: { land, countries: { ...countries, geometries: bare } } } };
}

function largestOf(geometry: Polygon | MultiPolygon): Position[][] | undefined {
  const polygons = geometry?.type === 'Polygon' ? [geometry.coordinates] : (geometry?.coordinates ?? []);
  return polygons.toSorted((one, other) => areaOf(other) - areaOf(one))[0];
}

/** Square degrees. */
function areaOf([ring = []]: Position[][]): number {
  const twice = ring.reduce((sum, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = ring[(index + 1) % ring.length] ?? [];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
