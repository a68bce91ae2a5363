import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import GeographicLib from 'geographiclib-geodesic';
import { coverageService } from '../../src/coverage-service.js';
import { earthCentred, groundMetres } from '../../src/geography/geodesy.js';
import { type Client, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';

const MAX_RADIUS = 100_000;
const { WGS84 } = GeographicLib.Geodesic;
interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** The independent reference: Karney's algorithm. */
const geodesic = (from: Point, to: Point): number => WGS84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude).s12!;
const tolerance = (metres: number): number => 0.01 + 1e-6 * metres;
const rounded = (value: number): number => Number(value.toFixed(10));
const ecef = ({ latitude, longitude }: Point) => earthCentred(latitude, longitude);

/** The point that is this many metres away in a direction, with as many digits as the API accepts. */
function offset({ latitude, longitude }: Point, azimuth: number, metres: number): Point {
  const { lat2, lon2 } = WGS84.Direct(latitude, longitude, azimuth, metres);
  return { latitude: rounded(lat2!), longitude: rounded(lon2!) };
}

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map(rounded);
/** Points anywhere, but one in four is close to a pole, and one in four is close to the date line. */
const anywhere = fc.oneof(
  fc.record({ latitude: degrees(-90, 90), longitude: degrees(-180, 180) }),
  fc.record({ latitude: fc.constantFrom(0, 45, 48.2, -33.9), longitude: degrees(-180, 180) }),
  fc.record({ latitude: fc.oneof(degrees(89.2, 90), degrees(-90, -89.2), fc.constantFrom(-90, 90)), longitude: degrees(-180, 180) }),
  fc.record({ latitude: degrees(-90, 90), longitude: fc.oneof(degrees(179, 180), degrees(-180, -179), fc.constantFrom(-180, 180)) }),
);
const pair = fc.record({
  from: anywhere,
  azimuth: fc.double({ min: 0, max: 360, noNaN: true }),
  metres: fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: MAX_RADIUS - 1, noNaN: true })),
});

let service: TestService;
let isp: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await operator(service);
});
beforeEach(() => sql(service.databaseUrl, 'truncate access_node'));
afterAll(() => service.close());

/** Stores nodes at these points; the id is the position in the list, counted from 1. */
const place = (points: readonly Point[]): Promise<unknown> =>
  sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
     select lpad(p.number::text, 32, '0')::uuid, 'ano.test', gen_random_uuid(), 'nodes', 'planned', p.latitude, p.longitude, 'active'
     from unnest($1::numeric[], $2::numeric[]) with ordinality p(latitude, longitude, number)`,
    [points.map(({ latitude }) => latitude.toFixed(10)), points.map(({ longitude }) => longitude.toFixed(10))],
  );

async function search(center: Point, query: Record<string, unknown> = {}): Promise<{ index: number; distance: number }[]> {
  const text = `${center.latitude.toFixed(10)}, ${center.longitude.toFixed(10)}`;
  const answer = await isp.get(SEARCH).query({ center: text, search_radius: MAX_RADIUS, limit: 10, ...query });
  expect(answer.status).toBe(200);
  return (answer.body as { node_id: string; distance: number }[]).map(({ node_id, distance }) => ({
    index: Number(node_id.replaceAll('-', '')) - 1,
    distance,
  }));
}

/** The indexes of the nearest points according to the reference; ties are ordered by index, as the service orders nodes by id. */
const nearestOf = (center: Point, points: readonly Point[], limit: number): number[] =>
  points
    .map((point, index) => ({ index, distance: geodesic(center, point) }))
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .slice(0, limit)
    .map(({ index }) => index);

test('the distance between two points matches the geodesic, for random pairs', () => {
  fc.assert(
    fc.property(pair, ({ from, azimuth, metres }) => {
      const to = offset(from, azimuth, metres);
      const expected = geodesic(from, to);
      return Math.abs(groundMetres(ecef(from), ecef(to)) - expected) <= tolerance(expected);
    }),
    { numRuns: volume(1_000, 10_000) },
  );
});

test("the API's distances match the geodesics, including at the poles and the date line", async () => {
  await fc.assert(
    fc.asyncProperty(anywhere, fc.array(pair, { minLength: 10, maxLength: 10 }), async (center, pairs) => {
      const points = pairs.map(({ azimuth, metres }) => offset(center, azimuth, metres));
      await sql(service.databaseUrl, 'truncate access_node');
      await place(points);
      const results = await search(center);
      expect(results).toHaveLength(points.length);
      for (const { index, distance } of results) {
        const expected = geodesic(center, points[index]!);
        expect(Math.abs(distance - expected)).toBeLessThanOrEqual(tolerance(expected));
      }
    }),
    { numRuns: volume(10, 40) },
  );
});

test('the nearest of many distant nodes match the reference, including at the poles and the date line', async () => {
  const many = fc.array(pair, { minLength: 60, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(anywhere, many, fc.constantFrom(1, 5, 10), async (center, pairs, limit) => {
      const points = pairs.map(({ azimuth, metres }) => offset(center, azimuth, metres));
      await sql(service.databaseUrl, 'truncate access_node');
      await place(points);
      const distanceTo = (index: number): number => geodesic(center, points[index]!);
      const found = (await search(center, { limit })).map(({ index }) => distanceTo(index));
      const expected = nearestOf(center, points, limit).map(distanceTo);
      expect(found).toHaveLength(limit);
      found.forEach((distance, rank) => expect(Math.abs(distance - expected[rank]!)).toBeLessThan(1e-5));
    }),
    { numRuns: volume(10, 30) },
  );
});

test.each([
  [{ latitude: 48.2, longitude: 16.37 }, 50_000],
  [{ latitude: 48.2, longitude: 16.37 }, 99_900],
  [{ latitude: 0, longitude: 180 }, 75_000],
  [{ latitude: 0.5, longitude: 30 }, 99_000],
  [{ latitude: 89.7, longitude: 0 }, 60_000],
  [{ latitude: -45, longitude: -179.9 }, 90_000],
])('the order on a ring around %j at %d m follows the geodesics, though these differ only by millimetres', async (center, metres) => {
  // Every point is 0.1 mm farther than the one before; straight lines differ by up to 12 mm between directions.
  const ring = Array.from({ length: 300 }, (_, step) => offset(center, (step * 137.5) % 360, metres + step * 0.0001));
  await place(ring);
  for (const limit of [1, 5, 10]) {
    expect((await search(center, { limit })).map(({ index }) => index)).toEqual(nearestOf(center, ring, limit));
  }
});

test('nodes at the same place are ordered by id, whatever the limit', async () => {
  const center = { latitude: 48.2, longitude: 16.37 };
  const spot = offset(center, 45, 70_000);
  await place([...Array.from({ length: 50 }, () => spot), offset(center, 45, 69_999.99)]);
  expect((await search(center)).map(({ index }) => index)).toEqual([50, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect((await search(center, { limit: 1 })).map(({ index }) => index)).toEqual([50]);
  expect((await search(spot, { search_radius: 0 })).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('the radius applies to the geodesic', async () => {
  const center = { latitude: 48.2, longitude: 16.37 };
  const ring = Array.from({ length: 8 }, (_, step) => offset(center, step * 45, 80_000));
  await place(ring);
  const farthest = Math.max(...ring.map((point) => geodesic(center, point)));
  expect(await search(center, { search_radius: (farthest + 0.001).toFixed(4) })).toHaveLength(8);
  expect(await search(center, { search_radius: (farthest - 0.01).toFixed(4) })).toEqual([]);
});
