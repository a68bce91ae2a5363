import { randomUUID } from 'node:crypto';
import { startTestService, type TestService, until } from '@fibre/testing';
import { parse } from 'csv-parse/sync';
import { MEMBERS, OFFERED_MEMBERS } from '../../src/access-nodes/access-node.sql.js';
import { AUTHORS } from '@fibre/dto';
import { FIELD_TYPES, PRIVATE_FIELDS } from '../../src/access-nodes/access-node.js';
import { coverageService } from '../../src/coverage-service.js';
import {
  type Client,
  create,
  invalid,
  type Node,
  NODES,
  operator,
  problemOf,
  publicOf,
  refusal,
  SEARCH,
} from '../access-nodes/access-nodes.js';
import { optionalExamples } from '../access-nodes/optional-values.js';
import { sql } from '../database/sql.js';
import { createRelation } from '../relations/relations.js';
import { exportFile, FILE_FORMATS, type FileFormat, SEARCH_EXPORT, searchFile, TYPES } from './imports.js';

let service: TestService;
let isp: Client;
let [ano, other]: Client[] = [];

beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
  [ano, other] = [await operator(service), await operator(service, 'ano.other')];
});
beforeEach(() => sql(service.databaseUrl, 'truncate access_node, relation'));
afterAll(() => service.close());

const file = (format: FileFormat, query: Record<string, string> = {}): Promise<string> => exportFile(isp, format, query, SEARCH_EXPORT);
const nodesIn = (text: string): Node[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Node);
/** What the feed for ISPs has. It only has what is settled, a second after it was written. */
async function copied(count: number): Promise<Map<string, Node>> {
  const copy = new Map<string, Node>();
  await until('the feed has every node', async () => {
    const items = (await isp.get(`${SEARCH}changes/`).query({ _page_size: 2_000 })).body as { change: string; node: Node }[];
    for (const { change, node } of items) if (change === 'upserted') copy.set(node.node_id, node);
    return copy.size >= count;
  });
  return copy;
}

test("an export has every tenant's production nodes, whatever their status, as the search shows them", async () => {
  const nodes = [
    await create(ano!, { ...optionalExamples, available_from: '9999-12-31', center: '48.2085551234, -16.5' }),
    await create(other!, { token: 'operation', status: 'terminated' }),
  ];
  await create(ano!, {}, 'prenodes');
  // A terminated node has no offer.
  const offered: Record<string, string | undefined>[] = [{ ...publicOf(nodes[0]!), offer: 'from' }, publicOf(nodes[1]!)];
  expect(nodesIn(await file('ndjson'))).toEqual(offered);
  const [found] = (await isp.get(SEARCH).query({ center: '48.2085551234, -16.5' })).body as Record<string, unknown>[];
  const { quality: _quality, distance: _distance, ...shown } = found!;
  expect(nodesIn(await file('ndjson'))[0]).toEqual(shown);

  const columns = OFFERED_MEMBERS.flatMap(({ name }) => (name === 'center' ? ['latitude', 'longitude'] : [name]));
  for (const [format, delimiter] of [
    ['csv', ','],
    ['tsv', '\t'],
  ] as const) {
    const text = await file(format);
    expect(text.split(/\r?\n/)[0]!.split(delimiter)).toEqual(columns);
    const cells = offered.map((node) => {
      const [latitude, longitude] = node['center']!.split(', ');
      return columns.map((name) => String(({ ...node, latitude, longitude } as Record<string, string | number | undefined>)[name] ?? ''));
    });
    expect(parse(text, { delimiter }).slice(1)).toEqual(cells);
  }
  const { features } = JSON.parse(await file('geojson')) as { features: { geometry: object; properties: object }[] };
  expect(features.map(({ properties }) => properties)).toEqual(
    offered.map((node) => Object.fromEntries(Object.entries(node).filter(([name]) => name !== 'center'))),
  );
  expect(features[0]!.geometry).toEqual({ type: 'Point', coordinates: [-16.5, 48.2085551234] });
});

test('nothing that ISPs get contains a private field of another tenant, and every other member is there', async () => {
  const secret = `secret-${randomUUID()}`;
  const { relation_id } = await createRelation(ano!, { name: `${secret} name`, comment: `${secret} comment` });
  const types: Record<string, string> = FIELD_TYPES;
  const texts = PRIVATE_FIELDS.filter((name) => types[name] === 'text');
  const own = Object.fromEntries(texts.map((name) => [name, `${secret} ${name}`]));
  await create(ano!, { relation_id, ...optionalExamples, ...own, center: '12, 34' });
  await copied(1);
  const answers = [
    ...(await Promise.all(
      [SEARCH, `${SEARCH}relations/`, `${SEARCH}relations/${relation_id}`, `${SEARCH}changes/`].map(async (path) => {
        const { status, text } = await isp.get(path).query(path === SEARCH ? { center: '12, 34' } : {});
        expect([path, status]).toEqual([path, 200]);
        return text;
      }),
    )),
  ];
  for (const format of FILE_FORMATS) answers.push(await file(format));
  answers.push((await searchFile(isp, '{"center":"12, 34"}\n', { format: 'ndjson' })).body as string);
  for (const text of answers) {
    expect(text).toContain(relation_id);
    for (const word of [secret, ...PRIVATE_FIELDS, ...AUTHORS]) expect(text).not.toContain(word);
  }
  const hidden: readonly string[] = [...PRIVATE_FIELDS, ...AUTHORS];
  const members = MEMBERS.map(({ name }) => name).filter((name) => !hidden.includes(name));
  expect(Object.keys(nodesIn(await file('ndjson'))[0]!)).toEqual([...members, 'offer']);
});

test('the counts of the relations, the export and a copy by feed are equal', async () => {
  for (const client of [ano!, other!]) {
    const { relation_id } = await createRelation(client);
    for (const token of ['planned', 'operation', 'operation']) await create(client, { relation_id, token, status: 'terminated' });
    await client.delete(`${NODES}${(await create(client, { relation_id })).node_id}`);
  }
  const exported = nodesIn(await file('ndjson'));
  const relations = (await isp.get(`${SEARCH}relations/`)).body as { relation_id: string; nodes: Record<string, number> }[];
  expect(relations).toHaveLength(2);
  for (const { relation_id, nodes } of relations) {
    const count = (token: string) => exported.filter((node) => node.relation_id === relation_id && node['token'] === token).length;
    expect(nodes).toEqual({ planned: count('planned'), construction: count('construction'), operation: count('operation') });
  }
  expect([...(await copied(exported.length)).values()].sort((a, b) => (a.node_id < b.node_id ? -1 : 1))).toEqual(exported);
});

test('an export has the filters tenant, relation_id, token, technology and status, and a file name', async () => {
  const { relation_id, node_id } = await create(ano!, { token: 'planned', technology: 'FTTH' });
  const second = await create(other!, { token: 'operation', status: 'suspended' });
  // Oldest first, whichever was changed last.
  await ano!.patch(`${NODES}${node_id}`).send({ units: 3 }).expect(200);
  expect(nodesIn(await file('ndjson')).map((node) => node.node_id)).toEqual([node_id, second.node_id]);
  const count = async (query: Record<string, string>) => nodesIn(await file('ndjson', query)).length;
  expect(await count({})).toBe(2);
  expect(await count({ tenant: 'ano.test' })).toBe(1);
  expect(await count({ tenant: 'nobody' })).toBe(0);
  expect(await count({ relation_id })).toBe(1);
  expect(await count({ token: 'operation' })).toBe(1);
  expect(await count({ technology: 'ftth' })).toBe(1);
  expect(await count({ status: 'suspended', tenant: 'ano.test' })).toBe(0);
  for (const format of FILE_FORMATS) {
    const { status, headers } = await isp.head(SEARCH_EXPORT).query({ format });
    expect([status, headers['content-type']!.split(';')[0], headers['content-disposition']]).toEqual([
      200,
      TYPES[format],
      `attachment; filename="coverage.${format}"`,
    ]);
  }
  const query = { format: 'xlsx', target: 'prenodes', customer_reference: 'x', token: 'x', tenant: '' };
  expect(problemOf(await isp.get(SEARCH_EXPORT).query(query))).toEqual(invalid(...Object.keys(query)));
  expect(problemOf(await (await service.as({ scope: 'coverage:read' })).get(SEARCH_EXPORT))).toEqual(refusal(403, 'scope-missing'));
});
