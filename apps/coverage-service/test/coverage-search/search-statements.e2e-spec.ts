import { Database, type Statement } from '@fibre/database';
import { startTestService, type TestService } from '@fibre/testing';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, operator, SEARCH } from '../access-nodes/access-nodes.js';
import { sql } from '../database/sql.js';

const CENTER = { latitude: 48, longitude: 16 };
const METRES_PER_DEGREE = 111_200;
/** Number of nodes in a line, two per metre; the last statement reads a box slightly larger than its circle. */
const MANY = 20_000;
const [ALL_WITHIN, IN_DEGREES] = ['coverage-search-nearby', 'coverage-search-closest-in-degrees'];

let service: TestService;
let isp: Client;
/** The statements that searches have sent during the current test. */
let sent: Statement[];
/** Runs before a statement is sent. */
let before: (name: string) => Promise<unknown> | undefined;

beforeAll(async () => {
  service = await startTestService(coverageService);
  isp = await operator(service);
  const database = service.app.get(Database);
  const read = database.read.bind(database);
  Object.assign(database, {
    read: async (statement: Statement) => {
      sent.push(statement);
      await before(statement.name);
      return read(statement);
    },
  });
});
beforeEach(async () => {
  await sql(service.databaseUrl, 'truncate access_node');
  [sent, before] = [[], () => undefined];
});
afterAll(() => service.close());

/** Stores production nodes this many metres north of the center, or south if negative. */
const place = (...metres: number[]): Promise<unknown> =>
  sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
     select gen_random_uuid(), 'ano.test', gen_random_uuid(), 'nodes', 'planned', p.latitude, 16, 'active'
     from unnest($1::numeric[]) p(latitude)`,
    [metres.map((distance) => CENTER.latitude + distance / METRES_PER_DEGREE)],
  );

async function search(query: Record<string, unknown>): Promise<number> {
  const answer = await isp
    .get(SEARCH)
    .query({ center: `${CENTER.latitude}, ${CENTER.longitude}`, search_radius: 100_000, limit: 5, ...query });
  expect(answer.status).toBe(200);
  return (answer.body as unknown[]).length;
}

const names = (): string[] => sent.map(({ name }) => name);

test('a search without a match takes two statements, whatever the radius', async () => {
  expect(await search({})).toBe(0);
  expect(names()).toEqual([ALL_WITHIN, IN_DEGREES]);
});

test('a search with enough nodes nearby takes one statement', async () => {
  await place(1, 2, 3, 4, 5, 20_000);
  expect(await search({})).toBe(5);
  expect(await search({ search_radius: 3.5 })).toBe(3);
  expect(names()).toEqual([ALL_WITHIN, ALL_WITHIN]);
});

test('a search with distant matches takes three statements, or two if there are no other matches', async () => {
  await place(1, 30_000, -40_000, 50_000, 60_000, 70_000);
  expect(await search({})).toBe(5);
  expect(names()).toEqual([ALL_WITHIN, IN_DEGREES, ALL_WITHIN]);
  sent = [];
  expect(await search({ limit: 10 })).toBe(6);
  expect(names()).toEqual([ALL_WITHIN, IN_DEGREES]);
});

test('a node deleted during a search does not hide the nodes beyond it', async () => {
  await place(30_000, 40_000, 50_000);
  before = (name) =>
    name === ALL_WITHIN && sent.length === 3 ? sql(service.databaseUrl, 'delete from access_node where latitude < 48.3') : undefined;
  expect(await search({ limit: 2 })).toBe(2);
  expect(names()).toEqual([ALL_WITHIN, IN_DEGREES, ALL_WITHIN, IN_DEGREES, ALL_WITHIN]);
});

test.each(['force_custom_plan', 'force_generic_plan'])(
  'the index returns only a few of many nodes within a large radius (%s)',
  async (planMode) => {
    await sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, technology)
     select gen_random_uuid(), 'ano.test', gen_random_uuid(), 'nodes', 'planned', 48.2 + n * 5e-6, 16, 'active', case when n % 3 = 0 then 'ftth' end
     from generate_series(1, $1) n`,
      [MANY],
    );
    await sql(service.databaseUrl, 'analyze access_node');
    for (const filters of [{}, { technology: 'FTTH' }, { token: 'planned', technology: 'ftth', status: 'active' }])
      expect(await search(filters)).toBe(5);
    expect(sent).toHaveLength(9);

    const client = new pg.Client(service.databaseUrl);
    await client.connect();
    try {
      await client.query(`set plan_cache_mode = ${planMode}`);
      for (const { name, text } of sent) await client.query(`prepare "${name}" as ${text}`).catch(() => undefined);
      for (const { name, values } of sent) {
        const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(`${value as string | number}`)));
        const { rows } = await client.query(`explain (analyze, format json) execute "${name}" (${literals.join()})`);
        expect(nodesRead(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThan(MANY / 20);
      }
    } finally {
      await client.end();
    }
  },
  60_000,
);

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Number of nodes that a statement read, including those that its conditions filtered out. */
const nodesRead = (plan: PlanNode): number =>
  (plan['Relation Name'] === undefined ? 0 : plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) +
  (plan.Plans ?? []).reduce((sum, below) => sum + nodesRead(below), 0);
