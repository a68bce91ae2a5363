import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, list, type Node, NODES, operator, publicOf, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';

/** Strings that could break in SQL or JSON. */
const TEXTS = [
  'plain',
  '"quoted" and \'quoted\'',
  'back\\slash \\n \\u0041 \\" /',
  '\u00b7a\u00a0b\u3000\ufffd\uffff',
  'emoji 😀🇦🇹 and 𝒳',
  'é e\u0301 ß ı İ ſ Ω',
  'مرحبا שלום 中文',
  '<script>alert(1)</script> & %00 %s ${x} {{x}} $1 :x ?',
  "'; drop table access_node; --",
  'null',
  '{"a":1}',
];

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

/** JSON text of the node in a single read and in a listing. */
async function renderings({ node_id, relation_id, collection }: Node): Promise<[single: string, listed: string]> {
  const single = await ano.get(`${NODES}${node_id}`);
  const listed = await ano.get(NODES).query({ relation_id, target: collection });
  expect(listed.body).toHaveLength(1);
  return [single.text, listed.text.slice(1, -1)];
}

test.each(['nodes', 'prenodes'])('a full and a minimal node are the same in a single read and in a listing of %s', async (target) => {
  const full = { technology: 'ftth', status: 'completed', customer_reference: 'r', country: 'AT', address_id: 'a', lot_id: 'l' };
  for (const overrides of [full, {}, { technology: 'x', lot_id: 'y' }]) {
    const node = await create(ano, overrides, target);
    const [single, listed] = await renderings(node);
    expect(JSON.parse(listed)).toEqual(JSON.parse(single));
    expect(JSON.parse(single)).toEqual(node);
    expect(Object.keys(JSON.parse(listed) as object)).toEqual(Object.keys(JSON.parse(single) as object));
  }
});

test.each(TEXTS)('every response returns the text %j unchanged', async (text) => {
  const [short, long] = [[...text].slice(0, 64).join(''), [...text].slice(0, 255).join('')];
  const fields = { technology: short, customer_reference: long, address_id: short, lot_id: short };
  const node = await create(ano, fields);
  expect(node).toMatchObject(fields);
  const [single, listed] = await renderings(node);
  expect(JSON.parse(single)).toEqual(node);
  expect(JSON.parse(listed)).toEqual(node);
  expect(await list(ano, { relation_id: node.relation_id, customer_reference: long, technology: short })).toEqual([node]);
  expect((await ano.patch(`${NODES}${node.node_id}`).send(fields)).body).toMatchObject(fields);
});

test.each(['0, 0', '-0.0000000001, 0.0000000001', '90, -180', '-90, 180', '48.2000000001, 16.3', '5, 5', '0.5, -0.5', '10, 100'])(
  'the center %s is the same in a single read, a listing and a search',
  async (center) => {
    const node = await create(ano, { center });
    const [single, listed] = await renderings(node);
    expect([JSON.parse(single).center, JSON.parse(listed).center]).toEqual([center, center]);
    const { body } = await ano.get(SEARCH).query({ center, search_radius: 0, limit: 1 });
    expect(body[0]).toEqual({ ...publicOf(node), offer: 'planned', quality: 'A', distance: 0 });
  },
);

test('a search result is the whole node except its customer reference and authors, and what may be promised', async () => {
  const center = '-12.5, 130.25';
  const node = await create(ano, {
    center,
    technology: 'ftth "x"',
    status: 'started',
    customer_reference: 'mine',
    country: 'AU',
    address_id: 'a\\n',
    lot_id: '😀',
  });
  const isp = await service.as({ tenant: null, scope: 'coverage:search' });
  const minimal = await create(ano, { center, relation_id: randomUUID() });
  const { body } = await isp.get(SEARCH).query({ center });
  expect(body).toEqual([node, minimal].map((found) => ({ ...publicOf(found), offer: 'planned', quality: 'A', distance: 0 })));
});

test('timestamps are in UTC and have milliseconds, even if these are zero', async () => {
  const node = await create(ano);
  await sql(
    service.databaseUrl,
    `update access_node set created_at = '2026-02-01T16:00:14Z', modified_at = '2026-07-01T00:00:00.050+02' where node_id = $1`,
    [node.node_id],
  );
  const [single, listed] = await renderings(node);
  for (const text of [single, listed]) {
    expect(JSON.parse(text)).toMatchObject({ created_at: '2026-02-01T16:00:14.000+00:00', modified_at: '2026-06-30T22:00:00.050+00:00' });
  }
});
