import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import {
  type Client,
  create,
  idsOf,
  invalid,
  type Node,
  NODES,
  operator,
  problemOf,
  refusal,
  SEARCH,
} from '../access-nodes/access-nodes.js';
import { searchFile } from '../node-import/imports.js';
import { sql } from '../database/sql.js';

/** Metres per degree of longitude on the equator, which is a geodesic. */
const DEGREE = (Math.PI / 180) * 6_378_137;
/** A point this many metres east of 0, 0. */
const east = (metres: number): string => `0, ${(metres / DEGREE).toFixed(10)}`;
const ORIGIN = '0, 0';

let service: TestService;
let isp: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
});
beforeEach(() => sql(service.databaseUrl, 'truncate access_node'));
afterAll(() => service.close());

interface Result extends Node {
  readonly quality: string;
  readonly distance: string & number;
}
async function search(query: Record<string, unknown>): Promise<Result[]> {
  const answer = await isp.get(SEARCH).query({ center: ORIGIN, ...query });
  expect(answer.status).toBe(200);
  return answer.body as Result[];
}

test('a search returns the production nodes of every tenant, and only those, nearest first', async () => {
  const found: string[] = [];
  for (const [index, tenant] of ['ano.a', 'ano.b', 'ano.a'].entries()) {
    const ano = await operator(service, tenant);
    found.unshift((await create(ano, { center: east(60 - 20 * index) })).node_id);
    await create(ano, { center: east(10) }, 'prenodes');
  }
  expect(idsOf(await search({}))).toEqual(found);
});

test('a merge adds nodes to the search and a delete removes them', async () => {
  const ano = await operator(service);
  const { node_id, relation_id } = await create(ano, { center: ORIGIN }, 'prenodes');
  expect(await search({})).toEqual([]);
  await ano.put(NODES).query({ relation_id });
  expect(idsOf(await search({}))).toEqual([node_id]);
  await ano.patch(`${NODES}${node_id}`).send({ center: '1, 1' });
  expect(await search({})).toEqual([]);
  expect(idsOf(await search({ center: '1, 1' }))).toEqual([node_id]);
  await ano.delete(NODES).query({ relation_id });
  expect(await search({ center: '1, 1' })).toEqual([]);
});

test('the radius is 100 m and the limit 5 by default, and the limit is at most 10', async () => {
  const ano = await operator(service);
  const nodes: Node[] = [];
  for (let n = 1; n <= 12; n++) nodes.push(await create(ano, { center: east(n * 9) }));
  await create(ano, { center: east(101) });
  const ids = idsOf(nodes);
  expect(idsOf(await search({}))).toEqual(ids.slice(0, 5));
  expect(idsOf(await search({ limit: 10 }))).toEqual(ids.slice(0, 10));
  expect(idsOf(await search({ limit: 1 }))).toEqual(ids.slice(0, 1));
  expect(idsOf(await search({ center: east(108), limit: 1, search_radius: 0.5 }))).toEqual([ids[11]]);
  expect(idsOf(await search({ center: east(200) }))).not.toContain(ids[10]);
});

test('a grade applies to distances up to its limit', async () => {
  const ano = await operator(service);
  const grades: [number, string][] = [
    [0, 'A'],
    [9.99, 'A'],
    [10.01, 'B'],
    [49.99, 'B'],
    [50.01, 'C'],
    [99.99, 'C'],
    [100.01, 'D'],
    [499.99, 'D'],
    [500.01, 'E'],
    [999.99, 'E'],
    [1000.01, 'F'],
    [99_999, 'F'],
  ];
  for (const [metres, quality] of grades) {
    const { node_id } = await create(ano, { center: east(metres) });
    const results = await search({ center: ORIGIN, search_radius: Math.min(100_000, metres + 1), limit: 10 });
    const [found] = results.filter((result) => result.node_id === node_id);
    expect(found).toMatchObject({ quality, distance: metres });
    await ano.delete(`${NODES}${node_id}`);
  }
});

test('radius and grade use the distance before rounding', async () => {
  const ano = await operator(service);
  await create(ano, { center: east(10.001) });
  expect(await search({ search_radius: 10 })).toEqual([]);
  expect(await search({ search_radius: 10.0011 })).toMatchObject([{ distance: 10, quality: 'B' }]);
  await create(ano, { center: east(-9.999) });
  expect(await search({ search_radius: 10 })).toMatchObject([{ distance: 10, quality: 'A' }]);
});

test('a radius of 0 finds nodes at the point, including at the date line and at the poles', async () => {
  const ano = await operator(service);
  for (const [center, same] of [
    ['48.2085551234, 16.3729661234', '48.2085551234,16.3729661234'],
    ['10, 180', '10, -180'],
    ['90, 10', '90, -170'],
    ['-90, 0', '-90, 123.4'],
  ]) {
    const { node_id } = await create(ano, { center });
    expect(await search({ center: same, search_radius: 0 })).toMatchObject([{ node_id, distance: 0, quality: 'A' }]);
  }
});

test('nodes are found across the date line and over the pole', async () => {
  const ano = await operator(service);
  const across = await create(ano, { center: '0, -179.9999' });
  expect(await search({ center: '0, 179.9999' })).toMatchObject([{ node_id: across.node_id, distance: 22.26 }]);
  // The nearest is across it, seen from either side, and those on this side do not hide it.
  for (const [latitude, side] of [
    [10, ''],
    [-10, '-'],
  ] as const) {
    const there = side === '' ? '-' : '';
    for (const longitude of ['179.9998', '179.9997', '179.9996']) await create(ano, { center: `${latitude}, ${side}${longitude}` });
    const { node_id } = await create(ano, { center: `${latitude}, ${there}179.99995` });
    expect(idsOf(await search({ center: `${latitude}, ${side}179.99995`, limit: 1 }))).toEqual([node_id]);
  }
  const over = await create(ano, { center: '89.9999, -90' });
  expect(await search({ center: '89.9999, 90' })).toMatchObject([{ node_id: over.node_id, distance: 22.34 }]);
});

test('filters apply before the limit, and the technology is case-insensitive', async () => {
  const ano = await operator(service);
  for (let n = 0; n < 20; n++) await create(ano, { center: east(n / 10), token: 'planned', technology: 'dsl', status: 'active' });
  const far = await create(ano, { center: east(50), token: 'operation', technology: 'FTTH', status: 'started' });
  for (const filter of [
    { token: 'operation' },
    { technology: 'ftth' },
    { status: 'started' },
    { token: 'operation', technology: 'FtTh', status: 'started' },
  ]) {
    expect(idsOf(await search({ ...filter, limit: 1 }))).toEqual([far.node_id]);
  }
  expect(await search({ token: 'operation', status: 'active' })).toEqual([]);
});

test('a terminated node is only found by its status, so it hides no node that can be sold', async () => {
  const ano = await operator(service);
  const gone = await create(ano, { center: ORIGIN, status: 'terminated', technology: 'ftth' });
  const sold = await create(ano, { center: east(3), status: 'suspended' });
  expect(idsOf(await search({ limit: 1 }))).toEqual([sold.node_id]);
  expect(idsOf(await search({ limit: 1, search_radius: 5_000 }))).toEqual([sold.node_id]);
  expect(await search({ technology: 'ftth' })).toEqual([]);
  expect(idsOf(await search({ status: 'terminated', limit: 1 }))).toEqual([gone.node_id]);
  expect(idsOf(await search({ status: 'terminated', search_radius: 5_000 }))).toEqual([gone.node_id]);
  for (const [query, found] of [
    [{}, sold],
    [{ status: 'terminated' }, gone],
  ] as const) {
    const { body } = await searchFile(isp, `{"center":"${ORIGIN}"}\n`, { format: 'ndjson', query });
    expect(idsOf((JSON.parse(body as string) as { results: Node[] }).results)).toEqual([found.node_id]);
  }
});

test('available_until finds nodes that can be ordered by then: without a date, or with one that is not later', async () => {
  const ano = await operator(service);
  const planned = await create(ano, { center: east(1), token: 'planned', available_from: '2027-03-01' });
  const now = await create(ano, { center: east(2) });
  const far = await create(ano, { center: east(3_000), available_from: '2027-03-02' });
  const by = async (available_until: string, query = {}) => idsOf(await search({ available_until, ...query }));
  expect(await by('2027-03-01')).toEqual([planned.node_id, now.node_id]);
  expect(await by('2027-02-28', { search_radius: 5_000 })).toEqual([now.node_id]);
  expect(await by('2027-03-02', { search_radius: 5_000 })).toEqual([planned.node_id, now.node_id, far.node_id]);
});

test('every invalid parameter is reported', async () => {
  const offenders = async (query: string): Promise<unknown> => problemOf(await isp.get(`${SEARCH}?${query}`));
  expect(await offenders('')).toEqual(invalid('center'));
  expect(
    await offenders('center=x&search_radius=x&limit=x&token=x&technology=&status=x&available_until=soon&connected=1&tenant=x&target=nodes'),
  ).toEqual(
    invalid('center', 'search_radius', 'limit', 'token', 'technology', 'status', 'available_until', 'connected', 'tenant', 'target'),
  );
  for (const limit of ['0', '11', '-1', '1.5', '', 'ten', '5&limit=5'])
    expect([limit, await offenders(`center=0,0&limit=${limit}`)]).toEqual([limit, invalid('limit')]);
  for (const radius of [
    '100000.1',
    '100001',
    '-1',
    '1e6',
    '1e1000',
    '1e',
    '',
    'NaN',
    'Infinity',
    '0x10',
    '10,5',
    '%2B5',
    '5&search_radius=5',
    `0.${'0'.repeat(21)}`,
  ]) {
    expect([radius, await offenders(`center=0,0&search_radius=${radius}`)]).toEqual([radius, invalid('search_radius')]);
  }
  for (const center of ['0,0&center=0,0', '91,0', '0;0'])
    expect([center, await offenders(`center=${center}`)]).toEqual([center, invalid('center')]);
  for (const radius of [
    '0',
    '0.5',
    '100000',
    '00100',
    '99999.9999999999',
    '94860.78062443768',
    '1e3',
    '1.4E-45',
    '100000.00000000000000000000',
  ])
    expect((await isp.get(SEARCH).query({ center: ORIGIN, search_radius: radius })).status).toBe(200);
});

test.each(['lat', 'lon', 'latitude', 'longitude', 'coordinates'])('a parameter %s gets the hint to use center', async (name) => {
  const answer = await isp.get(SEARCH).query({ [name]: '48.2' });
  expect(problemOf(answer)).toEqual(invalid('center', name));
  const details = Object.fromEntries(
    (answer.body.errors as { parameter: string; detail: string }[]).map(({ parameter, detail }) => [parameter, detail]),
  );
  expect(details).toEqual({ center: 'is required', [name]: 'is not a parameter of this operation; did you mean center?' });
});

test('an ISP may only search', async () => {
  expect(problemOf(await isp.get(NODES))).toEqual(refusal(403, 'scope-missing'));
  expect((await isp.get('/v2/cov/search').query({ center: ORIGIN })).body).toEqual([]);
});
