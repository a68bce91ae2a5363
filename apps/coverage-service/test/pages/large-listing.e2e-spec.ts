import { MAX_EXACT_TOTAL, MAX_PAGE_BYTES, type PagePlace, selectPage } from '@fibre/database';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { type AccessNodeFilters, accessNodeListing } from '../../src/access-nodes/access-node-filters.sql.js';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, type Node, NODES, operator } from '../access-nodes/access-nodes.js';
import { linksOf } from './pages.js';
import { sql } from '../database/sql.js';

const ALL = { target: 'prenodes' };
const EXACT = MAX_EXACT_TOTAL;
const MANY = volume(22_000, 110_000);
/** A small number of blocks, compared to the hundreds or thousands that contain the nodes. */
const FEW_BLOCKS = 50;

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

/** Fills a tenant's pre-production collection, which has one index fewer, with ascending ids. */
const fill = (tenant: string, from: number, to: number): Promise<unknown> =>
  sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
     select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(hashtext($1)), 12, '0'))::uuid, $1, '00000000-0000-0000-0000-000000000000', 'prenodes',
       case when n % 1000 = 0 then 'operation' else 'planned' end, 48 + n * 1e-6, 16, 'active'
     from generate_series($2::int, $3::int) n`,
    [tenant, from, to],
  );

/** The number of blocks that a page of 100 nodes reads. */
async function blocksOf(filters: Partial<AccessNodeFilters>, place: Partial<PagePlace>): Promise<number> {
  const { text, values } = selectPage(accessNodeListing('ano.test', { target: 'prenodes', ...filters }), { size: 100, ...place });
  const [row] = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    service.databaseUrl,
    `explain (analyze, buffers, format json) ${text}`,
    [...values],
  );
  const { Plan: plan } = row!['QUERY PLAN'][0];
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
}

test('a page may have 2,000 nodes, and the count is exact up to 10,000', async () => {
  await fill('ano.test', 1, EXACT);
  const answer = await ano.get(NODES).query({ ...ALL, _page_size: 2_000 });
  expect([answer.status, answer.body.length, answer.headers['x-page-size'], answer.headers['x-page-count']]).toEqual([
    200,
    2_000,
    '2000',
    '5',
  ]);
  const ids = (answer.body as Node[]).map(({ node_id }) => node_id);
  expect([...ids].sort()).toEqual(ids);
  const { next } = linksOf(answer);
  const second = await ano.get(`${next!.pathname}${next!.search}`);
  expect([second.body.length, second.headers['x-page-count']]).toEqual([2_000, '5']);
  expect((second.body as Node[])[0]!.node_id > ids.at(-1)!).toBe(true);
  expect((await ano.get(NODES).query({ ...ALL, _page_size: 1 })).headers['x-page-count']).toBe('10000');
});

test('above 10,000 the count is an estimate, and never too small', async () => {
  await fill('ano.test', EXACT + 1, MANY);
  await sql(service.databaseUrl, 'analyze access_node');
  const answer = await ano.get(NODES).query({ ...ALL, _page_size: 2_000 });
  const filtered = await ano.get(NODES).query({ ...ALL, token: 'operation', _page_size: 10 });
  const count = Number(answer.headers['x-page-count']);
  expect(count).toBeGreaterThan((MANY * 0.5) / 2_000);
  expect(count).toBeLessThan((MANY * 1.5) / 2_000);
  expect(filtered.headers['x-page-count']).toBe(String(Math.ceil(MANY / 10_000)));

  const { next } = linksOf(answer);
  expect((await ano.get(`${next!.pathname}${next!.search}`)).headers['x-page-count']).toBe(String(count));
});

test.each([
  { token: 'construction' },
  { technology: 'fwa' },
  { status: 'terminated' },
  { token: 'construction', status: 'active' },
] as const)('a filter %j without matches does not read the nodes', async (filters) => {
  expect(await blocksOf(filters, {})).toBeLessThan(FEW_BLOCKS);
});

test.each(['asc', 'desc'] as const)('a page in the order %s reads only its own nodes, wherever it begins', async (order) => {
  for (const number of [undefined, 16, MANY / 2, MANY])
    for (const filters of [{}, { token: 'planned' }] as const) {
      const from = number && [`${number.toString(16).padStart(8, '0')}-0000-7000-8000-000000000000`];
      expect([from, filters, (await blocksOf(filters, { order, ...(from && { from }) })) < FEW_BLOCKS]).toEqual([from, filters, true]);
    }
});

test('the page count is never lower than what was counted, even if the estimate is', async () => {
  await sql(service.databaseUrl, `update access_node set tenant = 'ano.unknown' where tenant = 'ano.test'`);
  const unknown = await operator(service, 'ano.unknown');
  const answer = await unknown.get(NODES).query({ ...ALL, _page_size: 1 });
  expect(Number(answer.headers['x-page-count'])).toBeGreaterThan(MAX_EXACT_TOTAL);
});

test('2,000 of the largest nodes fit on a page', async () => {
  const large = await operator(service, `ano.${'large'.repeat(11)}`);
  const long = (length: number): string => '😀'.repeat(length);
  const { node_id } = await create(large, {
    center: '-48.2085551234, -116.3729661234',
    technology: long(64),
    customer_reference: long(255),
    country: 'AT',
    address_id: long(64),
    lot_id: long(64),
  });
  const columns = `tenant, collection, token, latitude, longitude, technology, status, customer_reference, country, address_id, lot_id`;
  await sql(
    service.databaseUrl,
    `insert into access_node (node_id, relation_id, ${columns})
     select gen_random_uuid(), gen_random_uuid(), ${columns} from access_node, generate_series(2, 2000) where node_id = $1`,
    [node_id],
  );
  const answer = await large.get(NODES).query({ _page_size: 2_000 });
  expect([answer.body.length, linksOf(answer).next]).toEqual([2_000, undefined]);
  expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
});
