import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';

/** Number of nodes in a line, one per metre. */
const NODES = volume(4_000, 20_000);
const DIRECTIONS = { northwards: [1, 0], eastwards: [0, 1], 'north-eastwards': [1, 1], southwards: [-1, 0] } as const;

let service: TestService;
let client: pg.Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  client = new pg.Client(service.databaseUrl);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.close();
});

test.each(Object.entries(DIRECTIONS))('the index stays small when nodes arrive %s in street order', async (_name, [north, east]) => {
  await client.query('truncate access_node');
  await client.query(
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
     select gen_random_uuid(), 'ano.test', '00000000-0000-7000-8000-000000000000', 'nodes', 'operation',
       round((48 + $1 * i * 0.000009)::numeric, 7), round((16 + $2 * i * 0.0000134)::numeric, 7), 'active'
     from generate_series(1, $3::int) i order by i`,
    [north, east, NODES],
  );
  const { rows } = await client.query<{ bytes: string }>(`select pg_relation_size('access_node_position_idx') as bytes`);
  // The index takes about 100 bytes per node; with degenerate splits, it would take 18 KB per node.
  expect(Number(rows[0]!.bytes)).toBeLessThan(200 * NODES);
});
