import { randomUUID } from 'node:crypto';
import { withClient } from '@fibre/embedded-postgres';
import { startTestService, type TestService, until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import type { Response } from 'supertest';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, list, newNode, type Node, NODES, operator } from './access-nodes.js';
import { untilBlocked } from '../database/sql.js';

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

interface Merged {
  action: { count: number; merge_action: 'INSERT' | 'UPDATE' }[];
}
const times = <T>(count: number, work: (index: number) => PromiseLike<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const make = (overrides: Record<string, unknown>, target: string): Promise<Node> => create(ano, { relation_id, ...overrides }, target);
const merge = () => ano.put(NODES).query({ relation_id });
const everything = async (): Promise<Node[]> => [
  ...(await list(ano, { relation_id })),
  ...(await list(ano, { relation_id, target: 'prenodes' })),
];
const statuses = (answers: Response[]): number[] => [...new Set(answers.map(({ status }) => status))].sort();

/** The total numbers of nodes that the merges report as inserted and updated. */
function summed(merges: Response[]): { inserted: number; updated: number } {
  const count = (kind: string): number =>
    merges
      .flatMap(({ body }) => (body as Merged).action)
      .reduce((sum, { count, merge_action }) => sum + (merge_action === kind ? count : 0), 0);
  return { inserted: count('INSERT'), updated: count('UPDATE') };
}

test('50 concurrent merges of one relation all succeed and count each node once', async () => {
  for (let n = 0; n < 30; n++) await make({ customer_reference: `r${n}`, token: 'operation' }, 'prenodes');
  for (let n = 0; n < 10; n++) await make({ customer_reference: `r${n}` }, 'nodes');
  const merges = await times(50, merge);
  expect(statuses(merges)).toEqual([200]);
  expect(summed(merges)).toEqual({ inserted: 20, updated: 10 });
  const nodes = await everything();
  expect(nodes).toHaveLength(30);
  expect(nodes.every(({ collection, token }) => collection === 'nodes' && token === 'operation')).toBe(true);
});

test('merges that race with everything else lose nothing and count correctly', async () => {
  for (let round = 0; round < volume(1, 4); round++) {
    relation_id = randomUUID();
    const counterparts = await times(12, (n) => make({ customer_reference: `r${n}` }, 'nodes'));
    const prenodes = await times(24, (n) => make({ customer_reference: `r${n}`, token: 'operation' }, 'prenodes'));
    let [deleted, created] = [0, 36];
    const count = ({ status }: Response): void => {
      if (status === 204) deleted++;
      if (status === 201) created++;
    };
    const post = (customer_reference: string, target: string) =>
      ano.post(NODES).query({ target }).send(newNode({ relation_id, customer_reference }));
    const patched: [Response, lot: string, reference: string][] = [];
    const [merges, others] = await Promise.all([
      times(8, merge),
      times(60, async (n) => {
        const index = n % 12;
        // Production nodes are deleted, changed, and created with references that exist in pre-production; pre-production nodes change too.
        if (n < 12 && index < 4) return ano.delete(`${NODES}${counterparts[index]!.node_id}`);
        if (n < 24) return post(`r${12 + (n % 8)}`, n % 2 ? 'nodes' : 'prenodes');
        if (n < 36) return post(`new ${n}`, 'prenodes');
        if (n < 40) {
          const answer = await ano.patch(`${NODES}${prenodes[20 + index]!.node_id}`).send({ lot_id: `lot ${n}` });
          patched.push([answer, `lot ${n}`, `r${20 + index}`]);
          return answer;
        }
        return ano.patch(`${NODES}${counterparts[index]!.node_id}`).send({ customer_reference: `r${index + 12}`, country: 'AT' });
      }),
    ]);
    others.forEach(count);
    expect(statuses([...merges, ...others]).filter((status) => status >= 500)).toEqual([]);
    merges.push(await merge());
    const nodes = await everything();
    const { inserted, updated } = summed(merges);
    expect(nodes).toHaveLength(created - deleted - updated);
    expect(inserted + updated).toBe(24 + others.filter(({ status, body }) => status === 201 && body.collection === 'prenodes').length);
    const references = nodes.map(({ customer_reference }) => customer_reference).filter(Boolean);
    expect(new Set(references).size).toBe(references.length);
    for (const [answer, lot_id, reference] of patched) {
      const survivor = nodes.find(({ customer_reference }) => customer_reference === reference);
      if (answer.status === 200 && survivor) expect(survivor).toMatchObject({ lot_id });
    }
  }
});

test('a change to a pre-production node created during a merge is not lost', async () => {
  const [first] = [await make({ customer_reference: 'one', token: 'operation' }, 'prenodes')];
  const counterpart = await make({ customer_reference: 'one' }, 'nodes');
  const other = await make({ customer_reference: 'two' }, 'nodes');
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  const second = new pg.Client({ connectionString: service.databaseUrl });
  await Promise.all([holder.connect(), second.connect()]);
  try {
    // The merge waits for its first pre-production node, which it found before the second one was created ...
    for (const [client, id] of [
      [holder, first.node_id],
      [second, counterpart.node_id],
    ] as const) {
      await client.query('begin');
      await client.query('select from access_node where node_id = $1 for update', [id]);
    }
    const merged = merge().then((answer) => answer);
    await untilBlocked(service.databaseUrl, 1);
    const late = await make({ customer_reference: 'two', token: 'operation' }, 'prenodes');
    await holder.query('rollback');
    // ... and then for a production node, while the second one is changed.
    await untilBlocked(service.databaseUrl, 1);
    const patched = ano
      .patch(`${NODES}${late.node_id}`)
      .send({ lot_id: 'changed' })
      .then((answer) => answer);
    await Promise.race([patched, untilBlocked(service.databaseUrl, 2)]);
    await second.query('rollback');

    expect([(await merged).status, [200, 404]]).toEqual([200, expect.arrayContaining([(await patched).status])]);
    await merge();
    const { body } = await ano.get(`${NODES}${other.node_id}`);
    if ((await patched).status === 200) expect(body.lot_id).toBe('changed');
  } finally {
    await Promise.all([holder.end(), second.end()]);
  }
});

test('a reference change and a merge that wait for each other both succeed', async () => {
  const counterparts = await times(6, (n) => make({ customer_reference: `counterpart ${n}` }, 'nodes'));
  for (let n = 0; n < 6; n++) await make({ customer_reference: `counterpart ${n}`, token: 'operation' }, 'prenodes');
  await make({ customer_reference: 'wanted' }, 'prenodes');
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from access_node where node_id = $1 for update', [counterparts[0]!.node_id]);
    const merged = merge().then((answer) => answer);
    await untilBlocked(service.databaseUrl, 1);
    const changes = counterparts.slice(1).map((counterpart) =>
      ano
        .patch(`${NODES}${counterpart.node_id}`)
        .send({ customer_reference: 'wanted' })
        .then((answer) => answer),
    );
    // Between two turns of the merge, nothing blocks the changes.
    await Promise.race([Promise.all(changes), untilBlocked(service.databaseUrl, 2)]);
    await holder.query('rollback');
    const answers = await Promise.all([merged, ...changes]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  } finally {
    await holder.end();
  }
});

test('a deletion of the nodes during a merge has the same result as one before or after it', async () => {
  const counterpart = await make({ customer_reference: 'both' }, 'nodes');
  for (const customer_reference of ['both', 'new']) await make({ customer_reference, token: 'operation' }, 'prenodes');
  const [merged, deleted] = await withClient(service.databaseUrl, async (holder) => {
    await holder.query('begin');
    await holder.query('select from access_node where node_id = $1 for update', [counterpart.node_id]);
    const merged = merge().then((answer) => answer);
    await untilBlocked(service.databaseUrl, 1);
    const deleted = ano
      .delete(NODES)
      .query({ relation_id })
      .then((answer) => answer);
    await until('the deletion waits for its turn', async () =>
      (await service.anonymous().get('/metrics')).text.includes('limit_waiting{limit="changes of relations"} 1'),
    );
    await holder.query('rollback');
    return Promise.all([merged, deleted]);
  });
  expect([merged.status, deleted.status]).toEqual([200, 204]);
  // Between two turns of the merge, the deletion may have its own turn: then the merge finds no counterpart, and both nodes move.
  const { updated } = summed([merged]);
  expect(summed([merged])).toEqual(updated === 1 ? { inserted: 1, updated: 1 } : { inserted: 2, updated: 0 });
  expect(await everything()).toHaveLength(updated === 1 ? 0 : 2);
});

test('50 concurrent creations with the same customer reference create exactly one node', async () => {
  const answers = await times(50, () => ano.post(NODES).send(newNode({ relation_id, customer_reference: 'once' })));
  const winners = answers.filter(({ status }) => status === 201);
  expect(winners).toHaveLength(1);
  const losers = answers.filter(({ status }) => status === 409);
  expect(losers).toHaveLength(49);
  for (const { body } of losers)
    expect(body).toMatchObject({ code: 'customer-reference-taken', conflicts_with: [{ node_id: winners[0]!.body.node_id }] });
  expect(await everything()).toEqual([winners[0]!.body]);
});

test('one of several concurrent deletions of a node returns 204, and the others return 404', async () => {
  const { node_id } = await make({}, 'nodes');
  const answers = await times(20, () => ano.delete(`${NODES}${node_id}`));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 19 }, () => 404)]);
});
