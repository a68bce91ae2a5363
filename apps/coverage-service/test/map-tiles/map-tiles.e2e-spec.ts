import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, invalid, NODES, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { EXTENT, getTile, idsOf, mercator, pointsOf, readTile, tileAround, tilePath, total, VECTOR_TILE } from './map-tiles.js';
import { sql } from '../database/sql.js';

const VIENNA = { latitude: 48.208555, longitude: 16.372966 };
const WORLD = tilePath(0, 0, 0);

let service: TestService;
let ano: Client;
let tenant: string;
let tenants = 0;

beforeAll(async () => void (service = await startTestService(coverageService)));
beforeEach(async () => void (ano = await operator(service, (tenant = `ano.${++tenants}`))));
afterAll(() => service.close());

/** A node as the tests stored it, for comparison with tiles. */
interface Placed {
  readonly node_id: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Stores nodes at these positions, all at once. */
async function place(nodes: readonly Omit<Placed, 'node_id'>[], columns: Record<string, string> = {}, owner = tenant): Promise<Placed[]> {
  const placed = nodes.map((node) => ({ ...node, node_id: randomUUID() }));
  const fixed = { tenant: owner, collection: 'nodes', relation_id: randomUUID(), token: 'planned', status: 'active', ...columns };
  const names = Object.keys(fixed);
  await sql(
    service.databaseUrl,
    `insert into access_node (node_id, latitude, longitude, ${names.join()})
     select t.*, ${names.map((name, index) => `$${index + 4}${name === 'relation_id' ? '::uuid' : ''}`).join()}
     from unnest($1::uuid[], $2::numeric[], $3::numeric[]) t`,
    [
      placed.map(({ node_id }) => node_id),
      placed.map(({ latitude }) => latitude),
      placed.map(({ longitude }) => longitude),
      ...Object.values(fixed),
    ],
  );
  return placed;
}

/** `count` nodes in a small town. */
const town = (count: number): Omit<Placed, 'node_id'>[] =>
  Array.from({ length: count }, (_, index) => ({ latitude: 48.2 + (index % 50) / 1e5, longitude: 16.3 + Math.floor(index / 50) / 1e5 }));

/** The nodes on the tiles of each zoom level, from the world down to the deepest; empty tiles are not searched further. */
async function nodesByZoom(deepest: number): Promise<string[][]> {
  const shown: string[][] = Array.from({ length: deepest + 1 }, () => []);
  const look = async (z: number, x: number, y: number): Promise<void> => {
    const points = await readTile(ano, z, x, y);
    shown[z]!.push(...idsOf(points));
    if (points.length === 0 || z === deepest) return;
    await Promise.all([0, 1, 2, 3].map((quarter) => look(z + 1, 2 * x + (quarter & 1), 2 * y + (quarter >> 1))));
  };
  await look(0, 0, 0);
  return shown.map((ids) => ids.sort());
}

test('a tile shows each node at its position, with its public values', async () => {
  const set = { technology: 'FTTH', available_from: '2027-03-01', units: 4, download_mbps: 1_000, upload_mbps: 0.5 };
  const created = await create(ano, { center: '48.208555, 16.372966', token: 'construction', status: 'started', ...set });
  const plain = await create(ano, { center: '48.2089, 16.3735' });
  const [z, x, y] = tileAround(14, VIENNA.latitude, VIENNA.longitude);
  const points = await readTile(ano, z, x, y);
  expect(points).toHaveLength(2);
  for (const [node, latitude, longitude, more] of [
    [created, 48.208555, 16.372966, set],
    [plain, 48.2089, 16.3735, {}],
  ] as const) {
    const point = points.find(({ properties }) => properties['node_id'] === node.node_id)!;
    const { x: across, y: down } = mercator(latitude, longitude);
    expect([point.x, point.y]).toEqual([Math.floor((across * 2 ** z - x) * EXTENT), Math.floor((down * 2 ** z - y) * EXTENT)]);
    const { node_id, token, status } = node;
    expect(point.properties).toEqual({ node_id, token, status, ...more });
  }
});

test('at every zoom level every node is in exactly one tile, even on edges and at the ends of the world', async () => {
  const edges = [-180, -90, 0, 45, 179.9999999999, 180].flatMap((longitude) =>
    [0, 66.51326044311186, -66.51326044311186, 85.05112877, -85.05112877].map((latitude) => ({
      latitude: Number(latitude.toFixed(10)),
      longitude,
    })),
  );
  const anywhere = fc.sample(
    fc.record({
      latitude: fc.integer({ min: -850, max: 850 }).map((n) => n / 10),
      longitude: fc.integer({ min: -1800, max: 1800 }).map((n) => n / 10),
    }),
    60,
  );
  const ids = (await place([...edges, ...anywhere])).map(({ node_id }) => node_id).sort();
  const shown = await nodesByZoom(volume(3, 4));
  shown.forEach((found, zoom) => expect([zoom, found]).toEqual([zoom, ids]));
});

test('at the deepest zoom level a node on a corner of four tiles is in one of them', async () => {
  const corners = await place(
    [0, 45, 90, 180].flatMap((longitude) => [0, 66.5132604431, -66.5132604431].map((latitude) => ({ latitude, longitude }))),
  );
  for (const { node_id, latitude, longitude } of corners) {
    const [z, x, y] = tileAround(22, latitude, longitude);
    const around = [-1, 0, 1].flatMap((east) => [-1, 0, 1].map((south) => readTile(ano, z, (x + east + 2 ** z) % 2 ** z, y + south)));
    expect((await Promise.all(around)).flatMap(idsOf)).toEqual([node_id]);
  }
});

test('nodes outside the projection are not on any tile', async () => {
  await place([90, -90, 85.0512, -85.0512, 89].map((latitude) => ({ latitude, longitude: 16 })));
  expect((await getTile(ano, WORLD)).status).toBe(204);
});

test('up to 2,000 nodes are shown one by one; more are grouped, and none are lost', async () => {
  await place(town(2_000));
  for (const z of [0, 7, 10]) {
    const points = await readTile(ano, ...tileAround(z, 48.2, 16.3));
    expect([z, points.length, new Set(points.map(({ properties }) => properties['node_id'])).size]).toEqual([z, 2_000, 2_000]);
  }
  await place([{ latitude: 48.2, longitude: 16.3 }]);
  const [z, x, y] = tileAround(10, 48.2, 16.3);
  const cells = await readTile(ano, z, x, y);
  expect([cells.length > 0, cells.length <= 256, total(cells)]).toEqual([true, true, 2_001]);
  for (const { properties } of cells) expect(Object.keys(properties)).toEqual(['count', 'planned', 'construction', 'operation']);
});

test('the cells form a grid and count their nodes', async () => {
  const nodes = await place(
    fc
      .sample(
        fc.record({ latitude: fc.double({ min: 47, max: 49, noNaN: true }), longitude: fc.double({ min: 14, max: 17, noNaN: true }) }),
        5_000,
      )
      .map(({ latitude, longitude }) => ({ latitude: Number(latitude.toFixed(6)), longitude: Number(longitude.toFixed(6)) })),
  );
  for (const z of [0, 4, 6, 7]) {
    const [, x, y] = tileAround(z, 48.2, 16.3);
    const expected = new Map<string, number>();
    for (const { latitude, longitude } of nodes) {
      const at = mercator(latitude, longitude);
      if (Math.floor(at.x * 2 ** z) !== x || Math.floor(at.y * 2 ** z) !== y) continue;
      const cell = `${Math.floor((at.x * 2 ** z - x) * 16)},${Math.floor((at.y * 2 ** z - y) * 16)}`;
      expected.set(cell, (expected.get(cell) ?? 0) + 1);
    }
    const cells = await readTile(ano, z, x, y);
    const found = new Map(cells.map((cell) => [`${Math.floor(cell.x / 256)},${Math.floor(cell.y / 256)}`, cell.properties['count'] ?? 1]));
    expect([z, found.size]).toEqual([z, cells.length]);
    expect(found).toEqual(expected);
  }
});

test('thousands of nodes at one place form one cell, even at the deepest zoom level', async () => {
  await place(Array.from({ length: 2_500 }, () => VIENNA));
  const [point, ...others] = await readTile(ano, ...tileAround(22, VIENNA.latitude, VIENNA.longitude));
  expect([point!.properties, others]).toEqual([{ count: 2_500, planned: 2_500, construction: 0, operation: 0 }, []]);
});

test('a cell has the number of nodes in each stage, or the fields of its only node, and a tile with few nodes has cells too', async () => {
  for (const [token, count] of [
    ['planned', 1_500],
    ['construction', 400],
    ['operation', 200],
  ] as const)
    await place(town(count), { token });
  const lonely = await create(ano, { center: '-30, -60', token: 'operation', technology: 'ftth' });
  const shown = { node_id: lonely.node_id, token: 'operation', technology: 'ftth', status: 'active' };
  const world = (await readTile(ano, 0, 0, 0)).map(({ properties }) => properties);
  expect(world).toHaveLength(2);
  expect(world).toContainEqual({ count: 2_100, planned: 1_500, construction: 400, operation: 200 });
  expect(world).toContainEqual(shown);

  await create(ano, { center: '-30.001, -60', token: 'planned' });
  const answer = await getTile(ano, tilePath(...tileAround(4, -30, -60)));
  expect(pointsOf(answer)).toHaveLength(2);
  expect(pointsOf(answer, 'cells').map(({ properties }) => properties)).toEqual([{ count: 2, planned: 1, construction: 0, operation: 1 }]);
});

test('the only node of a cell is one that was asked for, whatever else is at its place', async () => {
  const here = Array.from({ length: 20 }, () => ({ latitude: -30, longitude: -60 }));
  // Stored before the node, so that a look at its place alone would find one of them first.
  await place(here, {}, 'ano.neighbour');
  await place(here, { collection: 'prenodes' });
  await place(here, { status: 'suspended' });
  const lonely = await create(ano, { center: '-30, -60', token: 'operation' });
  await place(town(2_000));
  const cells = (await readTile(ano, 0, 0, 0, { status: 'active' })).map(({ properties }) => properties);
  expect(cells).toHaveLength(2);
  expect(cells).toContainEqual({ node_id: lonely.node_id, token: 'operation', status: 'active' });
});

test('a tile only shows the nodes of its tenant and one collection', async () => {
  const stranger = await operator(service, 'ano.stranger');
  await place(town(30), {}, 'ano.stranger');
  const node = await create(ano);
  const prenode = await create(ano, {}, 'prenodes');
  const idsIn = async (client: Client, query = {}) =>
    (await readTile(client, 0, 0, 0, query)).map(({ properties }) => properties['node_id']);
  expect(await idsIn(ano)).toEqual([node.node_id]);
  expect(await idsIn(ano, { target: 'prenodes' })).toEqual([prenode.node_id]);
  expect(await idsIn(stranger)).toHaveLength(30);
  expect(await idsIn(await operator(service, 'ano.nobody'))).toEqual([]);
});

test('a tile accepts the filters of the listing, with the same meaning', async () => {
  const relation_id = randomUUID();
  await create(ano, { relation_id, token: 'operation', technology: 'FTTH', status: 'started', customer_reference: 'one' });
  await create(ano, { relation_id, token: 'planned', technology: 'ftth', available_from: '2027-03-01' });
  await create(ano, { token: 'operation', customer_reference: 'two' });
  const last = await create(ano, { token: 'construction', technology: 'dsl' });
  for (const query of [
    { relation_id },
    { relation_id: randomUUID() },
    { token: 'operation' },
    { technology: 'Ftth' },
    { status: 'started' },
    { status: 'terminated' },
    { customer_reference: 'one' },
    { available_until: '2027-02-28' },
    { modified_since: last.modified_at },
    { created_by: 'client' },
    { modified_by: 'nobody' },
    {
      relation_id,
      token: 'operation',
      technology: 'ftth',
      status: 'started',
      customer_reference: 'one',
      modified_since: '2020-01-01T00:00:00Z',
    },
  ]) {
    const listed = ((await ano.get(NODES).query(query)).body as { node_id: string }[]).map(({ node_id }) => node_id).sort();
    expect([query, (await readTile(ano, 0, 0, 0, query)).map(({ properties }) => properties['node_id']).sort()]).toEqual([query, listed]);
  }
});

test.each([
  '23/0/0',
  '0/0/1',
  '0/1/0',
  '3/8/0',
  '22/4194304/0',
  '-1/0/0',
  '1/-1/0',
  '1/0/1e0',
  '01/0/0',
  '1/0/00',
  '1.0/0/0',
  '1/0/%20',
  'a/b/c',
  '99999999999999999999/0/0',
  '22/0/9999999999',
])('there is no tile %s', async (tile) => {
  const [z, x, y] = tile.split('/') as [string, string, string];
  expect(problemOf(await ano.get(tilePath(z, x, y)))).toEqual(refusal(404, 'not-found'));
});

test.each(['22/4194303/4194303', '0/0/0', '1/1/1'])('there is a tile %s, with and without a trailing slash', async (tile) => {
  const [z, x, y] = tile.split('/') as [string, string, string];
  for (const path of [tilePath(z, x, y), `${tilePath(z, x, y)}/`]) expect([path, (await ano.get(path)).status]).toEqual([path, 204]);
});

test.each(['/v2/cov/tiles/0/0/0', '/v2/cov/tiles/0/0/0.png', '/v2/cov/tiles/0/0', '/v2/cov/tiles'])('%s is not a route', async (path) => {
  expect(problemOf(await ano.get(path))).toEqual(refusal(404, 'route-not-found'));
});

test('an unknown or repeated parameter is rejected, and so is an invalid filter', async () => {
  expect(problemOf(await ano.get(`${WORLD}?zoom=1&_page_size=5&token=x&target=nodes&target=nodes`))).toEqual(
    invalid('zoom', '_page_size', 'token', 'target'),
  );
  expect(problemOf(await ano.get(WORLD).set('if-none-match', 'x'))).toEqual(invalid('if-none-match'));
  expect((await ano.post(WORLD)).headers['allow']).toBe('GET, HEAD');
});

test('the Accept headers that clients send by default get a tile, and other types are rejected', async () => {
  await create(ano);
  for (const accept of [VECTOR_TILE, '*/*', 'application/*', 'application/json; charset=utf-8', `application/json, ${VECTOR_TILE};q=0.5`]) {
    expect([accept, (await ano.get(WORLD).set('accept', accept)).status]).toEqual([accept, 200]);
  }
  for (const accept of ['application/x-protobuf', `${VECTOR_TILE};q=0`]) {
    expect([accept, problemOf(await ano.get(WORLD).set('accept', accept))]).toEqual([accept, refusal(406, 'not-acceptable')]);
  }
});

test('a client may cache a tile for a while, and gets a new one after the tile has changed', async () => {
  const kept = { 'cache-control': 'private, max-age=30', vary: 'Authorization' };
  const empty = await ano.get(WORLD);
  expect([empty.status, empty.text, empty.headers]).toEqual([204, '', expect.objectContaining(kept)]);
  const { node_id } = await create(ano);
  const first = await getTile(ano, WORLD);
  const tag = first.headers['etag']!;
  expect([tag, first.headers]).toEqual([expect.stringMatching(/^"[\w-]{43}"$/), expect.objectContaining(kept)]);
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const again = await ano.get(WORLD).set('if-none-match', known);
    expect([again.status, again.text, again.headers]).toEqual([304, '', expect.objectContaining({ ...kept, etag: tag })]);
  }
  const head = await ano.head(WORLD);
  expect([head.status, head.headers['etag'], head.headers['content-length'], head.text ?? '']).toEqual([
    200,
    tag,
    String((first.body as Buffer).length),
    '',
  ]);

  await ano.patch(`${NODES}${node_id}`).send({ token: 'operation' });
  const changed = await getTile(ano, WORLD).then((answer) => answer);
  expect([changed.status, changed.headers['etag'] === tag]).toEqual([200, false]);
  expect(pointsOf(changed)[0]!.properties).toMatchObject({ node_id, token: 'operation' });
  expect((await ano.get(WORLD).set('if-none-match', tag)).status).toBe(200);
  await ano.delete(`${NODES}${node_id}`);
  expect((await ano.get(WORLD).set('if-none-match', tag)).status).toBe(204);
});

test('a tile contains the values of a node unchanged', async () => {
  const technology = `<script>"',\u{1f600} __proto__`;
  await create(ano, { technology });
  expect((await readTile(ano, 0, 0, 0))[0]!.properties['technology']).toBe(technology);
});

describe('a tile with too many nodes to count one by one', () => {
  const CROWD = volume(30_000, 60_000);
  const LONELY = [
    [48.9, 14.2],
    [46.9, 16.9],
  ] as const;

  /** Ten towns along the 48th parallel and two distant nodes; every 200th node in the towns is suspended. */
  beforeAll(async () => {
    tenant = 'ano.crowd';
    await sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
       select md5($1 || n)::uuid, $1, md5('relation' || n % 10)::uuid, 'nodes', 'planned', 48 + (n / 10 % 77) / 1e4, 14 + (n % 10) / 4.0 + (n / 770) / 1e4,
         case when n % 200 = 0 then 'suspended' else 'active' end
       from generate_series(0, $2 - 1) n`,
      [tenant, CROWD],
    );
    await place(LONELY.map(([latitude, longitude]) => ({ latitude, longitude })));
  });
  beforeEach(async () => void (ano = await operator(service, (tenant = 'ano.crowd'))));

  test('shows exactly the cells with nodes; cells with few nodes are counted, those with many are estimated', async () => {
    const nodes = await sql<{ latitude: number; longitude: number }>(
      service.databaseUrl,
      'select position[1] as latitude, position[0] as longitude from access_node where tenant = $1',
      [tenant],
    );
    for (const z of [0, 4, 5]) {
      const [, x, y] = tileAround(z, 48, 15);
      const expected = new Map<string, number>();
      for (const { latitude, longitude } of nodes) {
        const at = mercator(latitude, longitude);
        if (Math.floor(at.x * 2 ** z) !== x || Math.floor(at.y * 2 ** z) !== y) continue;
        const cell = `${Math.floor((at.x * 2 ** z - x) * 16)},${Math.floor((at.y * 2 ** z - y) * 16)}`;
        expected.set(cell, (expected.get(cell) ?? 0) + 1);
      }
      const cells = await readTile(ano, z, x, y);
      const found = new Map(cells.map((cell) => [`${Math.floor(cell.x / 256)},${Math.floor(cell.y / 256)}`, cell.properties]));
      expect([z, [...found.keys()].sort()]).toEqual([z, [...expected.keys()].sort()]);
      for (const [cell, properties] of found) {
        if (properties['estimated']) expect(properties['count']).toBeGreaterThan(500);
        else expect(properties['count'] ?? 1).toBe(expected.get(cell));
      }
      expect(Math.abs(total(cells) / [...expected.values()].reduce((sum, count) => sum + count) - 1)).toBeLessThan(0.15);
    }
  });

  test('shows an approximate count of the nodes that match a filter', async () => {
    const cells = await readTile(ano, 4, ...(tileAround(4, 48, 15).slice(1) as [number, number]), { status: 'active' });
    expect(Math.abs(total(cells) / CROWD - 1)).toBeLessThan(0.15);
    expect(await readTile(ano, 0, 0, 0, { status: 'terminated' })).toEqual([]);
  });

  test('is exact if a filter has an index and leaves few nodes', async () => {
    const [relation] = await sql<{ id: string }>(service.databaseUrl, `select md5('relation3')::uuid as id`);
    const inRelation = await readTile(ano, 4, ...(tileAround(4, 48, 15).slice(1) as [number, number]), { relation_id: relation!.id });
    expect([total(inRelation), inRelation.filter(({ properties }) => properties['estimated'])]).toEqual([CROWD / 10, []]);
    const created = await create(ano, { customer_reference: 'mine', address_id: 'mine' });
    for (const query of [
      { customer_reference: 'mine' },
      { address_id: 'mine' },
      { created_by: 'client' },
      { modified_by: 'client' },
      { modified_since: created.modified_at },
    ]) {
      expect((await readTile(ano, 0, 0, 0, query)).map(({ properties }) => properties['node_id'])).toEqual([created.node_id]);
    }
    // The other filters apply too.
    const [first] = await sql<{ id: string }>(service.databaseUrl, `select md5('relation0')::uuid as id`);
    const suspended = await readTile(ano, 0, 0, 0, { relation_id: first!.id, status: 'suspended' });
    expect([suspended.length, total(suspended)]).toEqual([CROWD / 200, CROWD / 200]);
    const [z, x, y] = tileAround(4, -33, 151);
    expect(await readTile(ano, z, x, y, { relation_id: relation!.id })).toEqual([]);
  });
});
