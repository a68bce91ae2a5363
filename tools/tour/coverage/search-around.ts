import geographiclib from 'geographiclib-geodesic';
import { columns } from '../../terminal.js';
import { type Api } from '../api.js';
import { check, checkThat } from '../check.js';
import { say, showRequest, showTable } from '../show.js';
import { SEARCH, type SearchResult } from './can.js';
import { type Visit } from './visit.js';

/** Vienna's city hall. */
export const CITY_HALL = '48.2108, 16.3575';

export interface SearchOptions {
  radius: number;
  limit: number;
}

const GRADES: readonly [quality: string, upTo: number][] = [
  ['A', 10],
  ['B', 50],
  ['C', 100],
  ['D', 500],
  ['E', 1000],
  ['F', Infinity],
];
/** The API rounds distances to centimetres. */
const ROUNDING_M = 0.006;

/** Searches around the city hall and compares the answer with an independent calculation on the WGS84 ellipsoid. */
export async function searchAround(api: Api, visit: Visit, { radius, limit }: SearchOptions): Promise<SearchResult[]> {
  const answer = await api.call<SearchResult[]>('GET', SEARCH, { query: { center: CITY_HALL, search_radius: radius, limit } });
  showRequest(answer);
  check('status of the search', answer.status, 200);
  const results = answer.body;
  if (results.length === 0) say('nothing there');
  else showTable(columns([['place', 'distance', 'quality', 'token'], ...results.map((result) => row(result, visit))], '   '));

  for (const result of results) checkResult(result, radius);
  const distances = results.map(({ distance }) => distance);
  check(
    'nearest first',
    distances,
    distances.toSorted((a, b) => a - b),
  );
  checkOwn(results, visit, { radius, limit });
  return results;
}

function row(result: SearchResult, { created }: Visit): string[] {
  const place = created.get(result.node_id)?.name ?? `(a CAN of ${result.tenant})`;
  return [place, `${result.distance.toFixed(2)} m`, result.quality, result.token];
}

function checkResult({ node_id, center, distance, quality }: SearchResult, radius: number): void {
  const metres = metresFromCityHall(center);
  checkThat(`distance of ${node_id}`, Math.abs(metres - distance) < ROUNDING_M, distance, metres.toFixed(3));
  checkThat(`${node_id} within the radius`, metres <= radius, metres, `at most ${radius}`);
  check(`quality of ${node_id} at ${distance} m`, quality, GRADES.find(([, upTo]) => metres <= upTo)?.[0]);
}

/** CANs of others may stand in between, but of this visit's exactly the nearest have to be there. */
function checkOwn(results: SearchResult[], { created }: Visit, { radius, limit }: SearchOptions): void {
  const expected = [...created]
    .map(([id, { center }]) => ({ id, metres: metresFromCityHall(center) }))
    .filter(({ metres }) => metres <= radius)
    .sort((a, b) => a.metres - b.metres)
    .slice(0, limit)
    .map(({ id }) => id);
  const own = results.map(({ node_id }) => node_id).filter((id) => created.has(id));
  const others = results.length - own.length;
  check('the nearest CANs of this tour', own, expected.slice(0, limit - others));
}

function metresFromCityHall(center: string): number {
  const [lat1 = NaN, lon1 = NaN] = coordinates(CITY_HALL);
  const [lat2 = NaN, lon2 = NaN] = coordinates(center);
  return geographiclib.Geodesic.WGS84.Inverse(lat1, lon1, lat2, lon2).s12 ?? NaN;
}

function coordinates(center: string): number[] {
  return center.split(',').map(Number);
}
