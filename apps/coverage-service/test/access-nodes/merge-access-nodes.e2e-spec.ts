import { randomUUID } from 'node:crypto';
import { raw, statement } from '@fibre/database';
import { withClient } from '@fibre/embedded-postgres';
import { Follower, startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { takeRelationLocks } from '../../src/relation-locks/relation-lock.sql.js';
import { promotePrenodes } from '../../src/relation-nodes/relation-nodes.sql.js';
import { type Client, create, idsOf, invalid, list, type Node, NODES, operator, problemOf, TIMESTAMP } from './access-nodes.js';
import { sql } from '../database/sql.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
beforeEach(() => {
  relation_id = randomUUID();
});
afterAll(() => service.close());

const merge = async (): Promise<unknown> => {
  const answer = await ano.put(NODES).query({ relation_id });
  expect(answer.status).toBe(200);
  return answer.body;
};
const make = (overrides: Record<string, unknown>, target: string): Promise<Node> => create(ano, { relation_id, ...overrides }, target);
const collection = (target: string): Promise<Node[]> => list(ano, { relation_id, target });

test('a merge moves every pre-production node of the relation and keeps its id and creation time', async () => {
  const before: Node[] = [];
  for (const technology of ['ftth', 'fwa', undefined]) before.push(await make({ technology, customer_reference: technology }, 'prenodes'));
  const standing = await make({}, 'nodes');
  const other = await create(ano, {}, 'prenodes');

  expect(await merge()).toEqual({ action: [{ count: 3, merge_action: 'INSERT' }] });
  expect(await collection('prenodes')).toEqual([]);
  const moved = before.map((node) => ({ ...node, collection: 'nodes', modified_at: expect.stringMatching(TIMESTAMP) }));
  expect(await collection('nodes')).toEqual([...moved, standing]);
  expect((await ano.get(`${NODES}${other.node_id}`)).body).toEqual(other);
  for (const { node_id, modified_at } of before) {
    const { headers, body } = await ano.get(`${NODES}${node_id}`);
    expect(headers['etag']).toBe('"2"');
    expect(body.modified_at >= modified_at).toBe(true);
  }
});

test('a pre-production node replaces the fields of the production node with the same reference, and is deleted', async () => {
  const counterpart = await make(
    { customer_reference: 'house 7', technology: 'dsl', country: 'AT', address_id: 'old', lot_id: 'old', status: 'suspended' },
    'nodes',
  );
  const over = await make({ customer_reference: 'house 7', token: 'operation', center: '47.1, 15.4', address_id: 'new' }, 'prenodes');
  const fresh = await make({ customer_reference: 'house 8' }, 'prenodes');

  expect(await merge()).toEqual({
    action: [
      { count: 1, merge_action: 'INSERT' },
      { count: 1, merge_action: 'UPDATE' },
    ],
  });
  const { headers, body } = await ano.get(`${NODES}${counterpart.node_id}`);
  expect(body).toEqual({
    node_id: counterpart.node_id,
    relation_id,
    collection: 'nodes',
    token: 'operation',
    center: '47.1, 15.4',
    status: 'active',
    customer_reference: 'house 7',
    address_id: 'new',
    tenant: 'ano.test',
    created_at: counterpart.created_at,
    created_by: 'client',
    modified_at: expect.any(String),
    modified_by: 'client',
  });
  expect(body.modified_at >= counterpart.modified_at).toBe(true);
  expect(headers['etag']).toBe('"2"');
  expect((await ano.get(`${NODES}${over.node_id}`)).status).toBe(404);
  expect(idsOf(await collection('nodes'))).toEqual([counterpart.node_id, fresh.node_id]);
});

test('a merge leaves equal production nodes as they are, and still counts them as updates', async () => {
  const fields = { technology: 'ftth', country: 'AT', address_id: 'A', lot_id: 'L', status: 'started', center: '48.20, 16.30' };
  for (const target of ['nodes', 'prenodes']) {
    for (const customer_reference of ['full', 'cleared']) await make({ ...fields, customer_reference }, target);
    await make({ customer_reference: 'bare' }, target);
  }
  const [, cleared] = await collection('prenodes');
  await ano.patch(`${NODES}${cleared!.node_id}`).send({ lot_id: null }).expect(200);
  const before = await collection('nodes');
  const follower = new Follower(ano, `${NODES}changes/?relation_id=${relation_id}`);
  await follower.catchUp();

  expect(await merge()).toEqual({ action: [{ count: 3, merge_action: 'UPDATE' }] });
  expect(await collection('prenodes')).toEqual([]);
  const after = await collection('nodes');
  const { lot_id: _lot, ...changed } = before[1]!;
  expect(after).toEqual([before[0], { ...changed, modified_at: after[1]!.modified_at }, before[2]]);
  const etags = await Promise.all(before.map(async ({ node_id }) => (await ano.get(`${NODES}${node_id}`)).headers['etag'] as string));
  expect(etags).toEqual(['"1"', '"2"', '"1"']);
  expect((await follower.catchUp()).map(({ node }) => node)).toEqual([after[1]]);
});

test('references are compared exactly, and a node without one has no counterpart', async () => {
  for (const customer_reference of ['House', 'house  1', 'hous\u0065\u0301', undefined]) await make({ customer_reference }, 'nodes');
  for (const customer_reference of ['house', 'house 1', 'hous\u00e9', undefined]) await make({ customer_reference }, 'prenodes');
  expect(await merge()).toEqual({ action: [{ count: 4, merge_action: 'INSERT' }] });
});

test('a node with the same reference in another relation or tenant is not changed', async () => {
  await create(ano, { customer_reference: 'shared' });
  await create(await operator(service, 'ano.other'), { relation_id, customer_reference: 'shared' });
  await make({ customer_reference: 'shared' }, 'prenodes');
  expect(await merge()).toEqual({ action: [{ count: 1, merge_action: 'INSERT' }] });
});

test('a merge without nodes reports no action, and repeating a merge changes nothing', async () => {
  expect(await merge()).toEqual({ action: [] });
  await make({}, 'prenodes');
  expect(await merge()).toEqual({ action: [{ count: 1, merge_action: 'INSERT' }] });
  const [node] = await collection('nodes');
  expect(await merge()).toEqual({ action: [] });
  expect(await collection('nodes')).toEqual([node]);
});

test('only updates are reported if nothing was inserted', async () => {
  for (const reference of ['a', 'b']) for (const target of ['nodes', 'prenodes']) await make({ customer_reference: reference }, target);
  expect(await merge()).toEqual({ action: [{ count: 2, merge_action: 'UPDATE' }] });
});

test('a merge looks up each reference, even if the statistics only include small relations', async () => {
  const insert = (relation: string, collection: string, count: number): Promise<unknown> =>
    sql(
      service.databaseUrl,
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, customer_reference)
       select gen_random_uuid(), 'ano.test', ${relation}, $1, 'planned', 48, 16, 'active', 'reference ' || n from generate_series(1, $2::int) n`,
      [collection, count],
    );
  await insert('gen_random_uuid()', 'nodes', 5_000);
  await sql(service.databaseUrl, 'analyze access_node');
  for (const collection of ['nodes', 'prenodes']) await insert(`'${relation_id}'`, collection, 1_000);
  const { text, values } = promotePrenodes('ano.test', null, relation_id);
  const [row] = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    service.databaseUrl,
    `explain (analyze, buffers, format json) ${text}`,
    [...values],
  );
  // Most of these blocks belong to the indexes of the changed nodes. Comparing every node with every other would read 250,000 blocks.
  expect(row!['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(100_000);
});

test('a merge requires one relation and does not accept other parameters', async () => {
  await make({}, 'prenodes');
  expect(problemOf(await ano.put(NODES))).toEqual(invalid('relation_id'));
  expect(problemOf(await ano.put(NODES).query({ relation_id: 'all' }))).toEqual(invalid('relation_id'));
  expect(problemOf(await ano.put(NODES).query({ relation_id, target: 'nodes', token: 'planned' }))).toEqual(invalid('target', 'token'));
  expect(await collection('prenodes')).toHaveLength(1);
});

test("another tenant's work on any number of relations does not delay a merge", async () => {
  await make({}, 'prenodes');
  await withClient(service.databaseUrl, async (client) => {
    await client.query('begin');
    // Relations share locks, so this many relations take all of the locks.
    const relations = raw('select gen_random_uuid() as relation_id from generate_series(1, 5000)');
    await client.query(statement('')`${takeRelationLocks('ano.other', relations)}`);
    expect(await merge()).toEqual({ action: [{ count: 1, merge_action: 'INSERT' }] });
    await client.query('rollback');
  });
});
