import { startTestService, type TestService } from '@fibre/testing';
import { parse } from 'csv-parse/sync';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, type Node, NODES, operator, problemOf, SEARCH } from '../access-nodes/access-nodes.js';
import { EXPORT, exportFile, FILE_FORMATS, SEARCH_EXPORT, searchFile } from '../node-import/imports.js';
import { getTile, tilePath } from '../map-tiles/map-tiles.js';

const CENTER = '48.2, 16.37';
const OFFERED = { center: CENTER, address_id: 'A1', address: 'Hauptstraße 12/3, 4020 Linz', token: 'operation' };
/** The nodes, and whether at least one unit is connected. */
const NODES_OF = [
  { units: 4, units_connected: 4, isConnected: true },
  { units: 4, units_connected: 1, isConnected: true },
  { units: 4, units_connected: 0, isConnected: false },
  { units: 4, isConnected: false },
  { isConnected: false },
];

let service: TestService;
let ano: Client;
let isp: Client;
const expected = new Map<string, boolean>();
beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
  ano = await operator(service);
  for (const { isConnected, ...node } of NODES_OF) expected.set((await create(ano, { ...OFFERED, ...node })).node_id, isConnected);
});
afterAll(() => service.close());

const those = (isConnected: boolean): string[] => [...expected].flatMap(([id, own]) => (own === isConnected ? [id] : [])).sort();
const read = async (client: Client, path: string, query: object): Promise<Node[]> =>
  (await client.get(path).query(query).expect(200)).body as Node[];

test.each<[string, (query: Record<string, string>) => Promise<string[]>]>([
  ['the listing', async (query) => idsOf(await read(ano, NODES, query))],
  ['the search around a coordinate', async (query) => idsOf(await read(isp, SEARCH, { center: CENTER, limit: '10', ...query }))],
  ['the search at an address', async (query) => idsOf(await read(isp, `${SEARCH}addresses/A1/`, query))],
  ['the search for places in a file', async (query) => found(`center\n"${CENTER}"\n`, query)],
  ['the search for address ids in a file', async (query) => found('address_id\nA1\n', query)],
  ['the export for ISPs', async (query) => idsOf(parse<Node>(await exportFile(isp, 'csv', query, SEARCH_EXPORT), { columns: true }))],
])('%s finds connected nodes, or all others', async (_name, find) => {
  expect((await find({})).sort()).toEqual([...expected.keys()].sort());
  for (const isConnected of [true, false]) {
    expect((await find({ connected: String(isConnected) })).sort()).toEqual(those(isConnected));
    expect(await find({ connected: String(isConnected), token: 'planned' })).toEqual([]);
  }
});

async function found(file: string, query: Record<string, string>): Promise<string[]> {
  const rows = parse<Node>((await searchFile(isp, file, { query: { limit: '10', ...query } })).body as string, { columns: true });
  return idsOf(rows.filter(({ node_id }) => node_id !== ''));
}

test('the export and the map take the filter too', async () => {
  for (const format of FILE_FORMATS) {
    const text = await exportFile(ano, format, { connected: 'true' });
    expect([format, text.split('Hauptstraße').length - 1]).toEqual([format, 2]);
  }
  for (const isConnected of ['true', 'false']) expect((await getTile(ano, tilePath(0, 0, 0), { connected: isConnected })).status).toBe(200);
});

test('every place names a value that is neither true nor false', async () => {
  for (const connected of ['yes', '1', '', 'TRUE', 'null']) {
    for (const [client, path, query] of [
      [ano, NODES, {}],
      [ano, EXPORT, {}],
      [ano, tilePath(0, 0, 0), {}],
      [isp, SEARCH, { center: CENTER }],
      [isp, `${SEARCH}addresses/A1/`, {}],
      [isp, SEARCH_EXPORT, {}],
    ] as const)
      expect([path, connected, problemOf(await client.get(path).query({ ...query, connected }))]).toEqual([
        path,
        connected,
        invalid('connected'),
      ]);
    const file = await isp.post(SEARCH).query({ connected }).type('text/csv').send('address_id\nA1\n');
    expect(problemOf(file)).toEqual(invalid('connected'));
  }
});

test('a file of places has the address and the connected units of each result, and none where there is nothing', async () => {
  const { body } = await searchFile(isp, 'address_id\nA1\nA2\n', { query: { connected: 'true', limit: '10' } });
  const rows = parse<Record<string, string>>(body as string, { columns: true });
  expect(rows.map(({ address, units_connected }) => [address, units_connected])).toEqual([
    [OFFERED.address, expect.stringMatching(/^[14]$/)],
    [OFFERED.address, expect.stringMatching(/^[14]$/)],
    ['', ''],
  ]);
  // A file that has such columns keeps its own.
  const own = await searchFile(isp, 'address_id,address,units_connected\nA1,"Hauptstr. 12, Linz",x\n');
  expect(parse<Record<string, string>>(own.body as string, { columns: true })[0]).toMatchObject({
    address: 'Hauptstr. 12, Linz',
    units_connected: 'x',
    found_address: OFFERED.address,
    found_units_connected: '4',
  });
});

test('pages keep the filter, and a cursor belongs to it', async () => {
  const first = await ano.get(NODES).query({ connected: 'false', _page_size: 2 }).expect(200);
  expect(first.headers['x-page-count']).toBe('2');
  const next = new URL(/<([^>]+)>; rel=next/.exec(first.headers['link'] ?? '')![1]!);
  expect(next.searchParams.get('connected')).toBe('false');
  const second = (await ano.get(next.pathname + next.search).expect(200)).body as Node[];
  expect(idsOf([...(first.body as Node[]), ...second]).sort()).toEqual(those(false));
  next.searchParams.set('connected', 'true');
  expect(problemOf(await ano.get(next.pathname + next.search))).toEqual(invalid('_page_cursor'));
});

test('finding a node by its id names it by its address, or by its coordinates if it has none', async () => {
  const bare = await create(ano, { center: '47, 15' });
  const label = async (id: string) => (await read(ano, '/v2/cov/find/', { q: id }))[0]!['label'];
  expect(await label([...expected.keys()][0]!)).toBe(OFFERED.address);
  expect(await label(bare.node_id)).toBe('47, 15');
});
