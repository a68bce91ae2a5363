import { startTestService, type TestService } from '@fibre/testing';
import { parse } from 'csv-parse/sync';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, idsOf, invalid, type Node, NODES, operator, problemOf, SEARCH } from '../access-nodes/access-nodes.js';
import { exportFile, SEARCH_EXPORT, searchFile } from '../node-import/imports.js';

/** A day in UTC this many days from now. */
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** What may be promised at each node, all of them at one address. */
const NODES_OF = [
  { token: 'operation', offer: 'now' },
  // Still so if the day changes during the test.
  { token: 'operation', available_from: day(0), offer: 'now' },
  { token: 'operation', available_from: day(2), offer: 'from' },
  { token: 'construction', offer: 'from' },
  { token: 'construction', available_from: day(-1), offer: 'from' },
  { token: 'planned', available_from: day(2), offer: 'from' },
  { token: 'planned', offer: 'planned' },
  { token: 'planned', available_from: day(-1), offer: 'planned' },
  { token: 'operation', status: 'terminated', offer: undefined },
] as const;
const OFFERS = ['now', 'from', 'planned'] as const;
const CENTER = '48.2, 16.37';

let service: TestService;
let isp: Client;
const expected = new Map<string, string | undefined>();
beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
  const ano = await operator(service);
  for (const { offer, ...node } of NODES_OF) {
    const { node_id } = await create(ano, {
      ...node,
      address_id: 'A1',
      center: CENTER,
      technology: 'ftth',
      download_mbps: 500.5,
      upload_mbps: 100,
    });
    expected.set(node_id, offer);
  }
});
afterAll(() => service.close());

/** The nodes with an offer, or any of these if it is absent. */
const withOffer = (offer?: string): string[] => [...expected].flatMap(([id, own]) => (own && (offer ?? own) === own ? [id] : []));
const get = async (path: string, query: object): Promise<Node[]> => (await isp.get(path).query(query).expect(200)).body as Node[];
const offersOf = (nodes: readonly Node[]): Map<string, string | undefined> => new Map(nodes.map(({ node_id, offer }) => [node_id, offer]));

test.each([
  ['around a coordinate', SEARCH, { center: CENTER, limit: 10 }],
  ['at an address', `${SEARCH}addresses/A1/`, {}],
])('a search %s says what may be promised, and filters by it', async (_name, path, query) => {
  const found = await get(path, query);
  expect(idsOf(found).sort()).toEqual(withOffer().sort());
  for (const [id, offer] of offersOf(found)) expect([id, offer]).toEqual([id, expected.get(id)]);
  for (const offer of OFFERS) expect(idsOf(await get(path, { ...query, offer })).sort()).toEqual(withOffer(offer).sort());
  const [terminated] = await get(path, { ...query, status: 'terminated' });
  expect(terminated).not.toHaveProperty('offer');
  expect(problemOf(await isp.get(path).query({ ...query, offer: 'soon' }))).toEqual(invalid('offer'));
});

test.each([
  ['coordinates', `latitude,longitude\n${CENTER.replace(' ', '')}\n0,0\n`],
  ['address ids', 'address_id\nA1\nA2\n'],
])('a file of %s gets date, speeds and offer of each result, and none where there is nothing', async (_name, file) => {
  const search = async (query: Record<string, string>): Promise<Node[]> =>
    parse<Node>((await searchFile(isp, file, { query: { limit: '10', ...query } })).body as string, { columns: true });
  const rows = await search({});
  const [results, [nothing]] = [rows.slice(0, -1), rows.slice(-1)];
  expect(offersOf(results)).toEqual(new Map(withOffer().map((id) => [id, expected.get(id)])));
  expect(results[0]).toMatchObject({ download_mbps: '500.5', upload_mbps: '100' });
  expect(results.filter(({ available_from }) => available_from === day(2))).toHaveLength(2);
  expect(nothing).toMatchObject({ node_id: '', offer: '', available_from: '' });
  for (const offer of OFFERS) {
    const found = (await search({ offer })).slice(0, -1);
    expect(idsOf(found).sort()).toEqual(withOffer(offer).sort());
  }
});

test.each(['csv', 'ndjson'] as const)('an export for ISPs (%s) has the offer of each node, and filters by it', async (format) => {
  const exported = async (query: Record<string, string> = {}): Promise<Node[]> => {
    const text = await exportFile(isp, format, query, SEARCH_EXPORT);
    if (format === 'csv') return parse<Node>(text, { columns: true });
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Node);
  };
  const nodes = await exported();
  expect(nodes).toHaveLength(NODES_OF.length);
  for (const { node_id, offer } of nodes) expect(offer || undefined).toBe(expected.get(node_id));
  for (const offer of OFFERS) expect(idsOf(await exported({ offer })).sort()).toEqual(withOffer(offer).sort());
});

test("an operator's own reads have no offer, and neither have the feeds, because it changes without the node", async () => {
  const ano = await service.as({ tenant: 'ano.test', scope: 'coverage:read' });
  const nodes = (await ano.get(NODES).expect(200)).body as Node[];
  for (const node of nodes) expect(node).not.toHaveProperty('offer');
  const feed = (await isp.get(`${SEARCH}changes/`).expect(200)).body as { node: Node }[];
  for (const { node } of feed) expect(node).not.toHaveProperty('offer');
});
