import { startTestService, type TestService } from '@fibre/testing';
import { parse } from 'csv-parse/sync';
import { coverageService } from '../../src/coverage-service.js';
import {
  type Client,
  create,
  idsOf,
  invalid,
  newNode,
  type Node,
  NODES,
  operator,
  problemOf,
  publicOf,
  SEARCH,
} from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';
import { EXPORT, type FileFormat, importFile, searchFile } from '../node-import/imports.js';

const TILE = '/v2/cov/tiles/0/0/0.mvt';

let service: TestService;
let isp: Client;
let [ano, other]: Client[] = [];

beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
  [ano, other] = [await operator(service), await operator(service, 'ano.other')];
});
beforeEach(() => sql(service.databaseUrl, 'truncate access_node'));
afterAll(() => service.close());

const pathOf = (id: string): string => `${SEARCH}addresses/${encodeURIComponent(id)}/`;
async function at(id: string, query: object = {}): Promise<Node[]> {
  const answer = await isp.get(pathOf(id)).query(query);
  expect([id, answer.status]).toEqual([id, 200]);
  return answer.body as Node[];
}
async function search(file: string, format: FileFormat = 'csv', query: Record<string, string> = {}): Promise<string> {
  const answer = await searchFile(isp, file, { format, query });
  expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
  return answer.body as string;
}
type Row = { input: unknown; results?: Node[]; error?: string };
const rowsOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);

test("a search by address finds every tenant's production nodes with exactly this id, as the search shows them", async () => {
  const nodes = [
    await create(ano!, { address_id: '5920471', customer_reference: 'private' }),
    await create(other!, { address_id: '5920471' }),
  ];
  await create(ano!, { address_id: '592047' });
  await create(ano!, { address_id: '5920471' }, 'prenodes');
  await create(ano!);
  expect(await at('5920471')).toEqual(nodes.map((node) => ({ ...publicOf(node), offer: 'planned' })));
  expect((await isp.get(`${SEARCH}addresses/5920471`)).body).toHaveLength(2);
  expect(await at('59204')).toEqual([]);
  await ano!.patch(`${NODES}${nodes[0]!.node_id}`).send({ address_id: null });
  expect(idsOf(await at('5920471'))).toEqual(idsOf(nodes.slice(1)));
});

test('an id may contain any character but a formula, and is compared exactly', async () => {
  for (const address_id of ['a/b', 'a b%20?#', 'ß🏠', "it's", 'x'.repeat(64), '%']) {
    const node = await create(ano!, { address_id });
    expect(idsOf(await at(address_id))).toEqual([node.node_id]);
  }
  expect(await at('A/B')).toEqual([]);
  expect(problemOf(await isp.get(pathOf('x'.repeat(65))))).toEqual(invalid('address_id'));
  expect(problemOf(await isp.get(pathOf('=1')))).toEqual(invalid('address_id'));
  expect(problemOf(await isp.get(pathOf('a')).query({ token: 'x', limit: 1, search_radius: 1, center: '0, 0' }))).toEqual(
    invalid('token', 'limit', 'search_radius', 'center'),
  );
});

test('filters apply as in the search by place, terminated nodes are left out, and there are at most 100', async () => {
  const address_id = 'LOC000000000001';
  const planned = await create(ano!, { address_id, token: 'planned', technology: 'FTTH', available_from: '2027-03-01' });
  const gone = await create(ano!, { address_id, token: 'operation', status: 'terminated' });
  const sold = await create(ano!, { address_id, token: 'operation', technology: 'fwa' });
  const ids = async (query: object) => idsOf(await at(address_id, query));
  expect(await ids({})).toEqual([planned.node_id, sold.node_id]);
  expect(await ids({ status: 'terminated' })).toEqual([gone.node_id]);
  expect(await ids({ token: 'operation' })).toEqual([sold.node_id]);
  expect(await ids({ technology: 'ftth' })).toEqual([planned.node_id]);
  expect(await ids({ available_until: '2027-02-28' })).toEqual([sold.node_id]);
  const add = (count: number): Promise<unknown> =>
    sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, address_id)
       select gen_random_uuid(), 'ano.test', gen_random_uuid(), 'nodes', 'planned', 48, 16, 'active', $1 from generate_series(1, $2::int)`,
      [address_id, count],
    );
  await add(98);
  expect(await ids({})).toHaveLength(100);
  expect((await isp.get(pathOf(address_id))).headers).not.toHaveProperty('x-more');
  await add(1);
  const found = await ids({});
  expect(found).toHaveLength(100);
  expect((await isp.get(pathOf(address_id))).headers['x-more']).toBe('true');
  expect([...found].sort()).toEqual(found);
});

describe('a file of addresses', () => {
  test('has the same results as single searches, without distance and quality, in any format', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `address ${index % 120}`);
    for (const address_id of ids.slice(0, 60)) await create(ano!, { address_id, technology: 'ftth' });
    for (const address_id of ids.slice(0, 10)) await create(other!, { address_id, status: 'terminated' });
    for (const address_id of ids.slice(5, 20)) await create(other!, { address_id, status: 'suspended' });
    for (const query of [{ limit: '10' }, {}, { status: 'terminated' }, { technology: 'ftth', limit: '2' }] as Record<string, string>[]) {
      const { limit = '1', ...filters } = query;
      const rows = rowsOf(await search(ids.map((address_id) => JSON.stringify({ address_id })).join('\n'), 'ndjson', query));
      expect(rows.map(({ input }) => (input as { address_id: string }).address_id)).toEqual(ids);
      const single = new Map<string, Node[]>();
      for (const id of new Set(ids)) single.set(id, (await at(id, filters)).slice(0, Number(limit)));
      expect(rows.map(({ results }) => results)).toEqual(ids.map((id) => single.get(id)));
    }
    const table = await search(`customer;address_id\r\nHuber;address 7\r\nMaier;address 99\r\nBauer;\r\n`, 'csv', { limit: '2' });
    const found = parse<Record<string, string>>(table, { columns: true, delimiter: ';' });
    expect(found.map(({ customer, rank, distance, quality, status, error }) => [customer, rank, distance, quality, status, error])).toEqual(
      [
        ['Huber', '1', '', '', 'active', ''],
        ['Huber', '2', '', '', 'suspended', ''],
        ['Maier', '', '', '', '', ''],
        ['Bauer', '', '', '', '', 'address_id is required'],
      ],
    );
  });

  test('an address does not count where there is a place, and every fault is named', async () => {
    const node = await create(ano!, { address_id: 'here', center: '10, 10' });
    // A table with place columns is searched by place, even where they are empty.
    const table = parse<Record<string, string>>(await search('center,address_id\n,here\n"10, 10",there\n'), { columns: true });
    expect(table.map(({ node_id, quality, error }) => [node_id, quality, error !== ''])).toEqual([
      ['', '', true],
      [node.node_id, 'A', false],
    ]);
    const lines = [
      { address_id: 'here' },
      { center: '10, 10', address_id: 'there' },
      { center: null, address_id: 'here' },
      { address_id: 5920471 },
      { address_id: '' },
      { address_id: '=1' },
      { street: 'x' },
    ];
    const rows = rowsOf(await search(lines.map((line) => JSON.stringify(line)).join('\n'), 'ndjson'));
    expect(rows.map(({ results }) => results && idsOf(results))).toEqual([
      [node.node_id],
      [node.node_id],
      [node.node_id],
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(rows.slice(3, 6).every(({ error }) => error!.startsWith('address_id '))).toBe(true);
    expect(rows[6]!.error).toContain('no place');

    const feature = (geometry: object | null, properties: object) => ({ type: 'Feature', geometry, properties });
    const point = { type: 'Point', coordinates: [10, 10] };
    const features = [feature(null, { address_id: 'here' }), feature(point, { address_id: 'there' }), feature(null, { street: 'x' })];
    const geojson = JSON.parse(await search(JSON.stringify({ type: 'FeatureCollection', features }), 'geojson')) as {
      features: { geometry: object | null; properties: Record<string, unknown> }[];
    };
    expect(geojson.features.map(({ geometry, properties }) => [geometry, properties['node_id'], properties['quality']])).toEqual([
      [null, node.node_id, undefined],
      [point, node.node_id, 'A'],
      [null, undefined, undefined],
    ]);
    expect(geojson.features[2]!.properties['error']).toBe('geometry must be a Point');

    for (const [file, detail] of [
      ['street\nx\n', 'use center, or latitude and longitude, or address_id'],
      ['address_id,address_id\na,b\n', 'address_id is repeated'],
      ['latitude,address_id\n1,b\n', 'longitude is missing'],
    ])
      expect((await searchFile(isp, file!)).body).toContain(detail);
    // An import still needs a place.
    const imported = await importFile(ano!, 'relation_id,token,address_id\n', { query: {} });
    expect(imported.body).toMatchObject({ code: 'import-refused', errors: [{ column: 'center' }] });
  });
});

describe('with a register of addresses', () => {
  let strict: TestService;
  let client: Client;
  beforeAll(async () => {
    strict = await startTestService(coverageService, {
      ADDRESS_SCHEME: 'UPRN',
      ADDRESS_ID_PATTERN: '[1-9][0-9]{0,11}|none',
      SERVICE_AREA: '46,9,49,17',
    });
    client = await operator(strict);
  });
  afterAll(() => strict.close());

  test('ids that it does not have are rejected, together with every other fault', async () => {
    const created = await create(client, { address_id: '100023336956' });
    await create(client, { address_id: 'none' });
    await create(client);
    for (const address_id of ['0', 'x', '1 2', '1234567890123', 'none1', '1none']) {
      const refused = await client.post(NODES).send(newNode({ address_id, center: '1, 1' }));
      expect([address_id, problemOf(refused)]).toEqual([address_id, invalid('#/address_id', '#/center')]);
      expect(refused.body.detail).toContain('UPRN');
      expect(problemOf(await client.patch(`${NODES}${created.node_id}`).send({ address_id }))).toEqual(invalid('#/address_id'));
      expect(problemOf(await client.patch(`${NODES}${created.node_id}`).send({ address_id, center: '1, 1' }))).toEqual(
        invalid('#/address_id', '#/center'),
      );
      for (const path of [pathOf(address_id), ...[NODES, EXPORT, TILE].map((one) => `${one}?address_id=${encodeURIComponent(address_id)}`)])
        expect([path, problemOf(await client.get(path))]).toEqual([path, invalid('address_id')]);
    }
    expect((await client.patch(`${NODES}${created.node_id}`).send({ address_id: null })).status).toBe(200);
    expect((await client.get(pathOf('100023336956'))).body).toEqual([]);
  });

  test('rows of an import and of a file of addresses too', async () => {
    const { relation_id } = await create(client);
    const rows = 'token,latitude,longitude,address_id\nplanned,1,1,x\nplanned,48,16,7\n';
    const { body } = await importFile(client, rows, { query: { relation_id, mode: 'lax' } });
    expect(body).toMatchObject({ created: 1, refused: 1 });
    expect((body.errors as { line: number; column: string }[]).map(({ line, column }) => [line, column])).toEqual([
      [2, 'latitude'],
      [2, 'address_id'],
    ]);
    const searched = await searchFile(client, 'address_id\nx\n7\n', { query: { format: 'ndjson' } });
    expect(rowsOf(searched.body as string)).toMatchObject([{ error: expect.stringContaining('UPRN') }, { results: [{ address_id: '7' }] }]);
  });

  test('the API document names it', async () => {
    const { info } = (await strict.anonymous().get('/v2/cov/openapi.json')).body;
    expect(info.description).toContain('`address_id` is an id of UPRN and matches `^(?:[1-9][0-9]{0,11}|none)$`');
    expect((await service.anonymous().get('/v2/cov/openapi.json')).body.info.description).not.toContain('Here,');
  });
});
