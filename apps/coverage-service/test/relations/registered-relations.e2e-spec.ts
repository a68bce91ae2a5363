import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { type ServiceProcess, startServiceProcess, startTestService, TEST_AUDIENCE, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import supertest from 'supertest';
import { optionalExamples } from '../access-nodes/optional-values.js';
import { coverageService } from '../../src/coverage-service.js';
import {
  ALL_SCOPES,
  type Client,
  create,
  invalid,
  list,
  newNode,
  NODES,
  operator,
  problemOf,
  refusal,
} from '../access-nodes/access-nodes.js';
import { counts, done, importFile } from '../node-import/imports.js';
import { createRelation, relationUrl } from './relations.js';
import { sql, untilBlocked } from '../database/sql.js';

/** How many nodes are created while their relation is deleted. */
const CREATIONS = volume(40, 200);

/** Two instances on one database, the second in its own process. */
let service: TestService;
let second: ServiceProcess;
let clients: readonly [Client, Client];
let databaseUrl: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { RELATIONS: 'registered' });
  ({ databaseUrl } = service);
  second = await startServiceProcess('coverage-service', {
    RELATIONS: 'registered',
    DATABASE_URL: `${databaseUrl}?lock_timeout=600000`,
    OAUTH_ISSUER: service.issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    // The same limits as startTestService sets; this test is not about overload.
    MAX_REQUESTS_IN_FLIGHT: '10000',
    MAX_REQUESTS_WAITING: '100000',
    REQUEST_DEADLINE_SECONDS: '300',
  });
  const token = await service.issuer.token({ scope: ALL_SCOPES });
  clients = [await operator(service), supertest.agent(second.url).auth(token, { type: 'bearer' })];
});
afterAll(async () => {
  await second.stop();
  await service.close();
});

const post = (client: Client, relation_id: string, target = 'nodes') => client.post(NODES).query({ target }).send(newNode({ relation_id }));
/** Relations that nodes name but that do not exist. */
const orphans = () =>
  sql(
    databaseUrl,
    `select n.relation_id from access_node n where n.tenant = 'ano.test'
     and not exists (select from relation r where r.tenant = n.tenant and r.relation_id = n.relation_id)`,
  );

test.each(['nodes', 'prenodes'])('a node in %s can only be created in a relation that its tenant has created', async (target) => {
  const [ano] = clients;
  const { relation_id } = await createRelation(ano);
  const given = newNode({ ...optionalExamples, relation_id: relation_id.toUpperCase(), center: '-48.2085551234, 0', status: 'started' });
  const created = await ano.post(NODES).query({ target }).send(given);
  expect([created.status, created.headers['etag'], created.body]).toEqual([
    201,
    '"1"',
    expect.objectContaining({ ...given, relation_id, collection: target, tenant: 'ano.test' }),
  ]);
  expect((await ano.get(created.headers['location']!)).body).toEqual(created.body);
  const again = await ano.post(NODES).query({ target }).send(given);
  expect([problemOf(again), again.body.conflicts_with]).toEqual([
    refusal(409, 'customer-reference-taken'),
    [{ node_id: created.body.node_id }],
  ]);

  const others = await createRelation(await operator(service, 'ano.other'));
  for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000000', others.relation_id]) {
    const answer = await post(ano, id, target);
    expect(problemOf(answer)).toEqual(invalid('#/relation_id'));
    expect(answer.body.hint).toBe('Create it with POST /v2/cov/relations/.');
    expect(await list(ano, { relation_id: id, target })).toEqual([]);
  }
});

test('a deleted relation accepts no more nodes, and nodes in unregistered relations can still be managed', async () => {
  const [ano] = clients;
  const relation = await createRelation(ano);
  await ano.delete(relationUrl(relation)).expect(204);
  expect(problemOf(await post(ano, relation.relation_id))).toEqual(invalid('#/relation_id'));

  // Simulates a node that was created with RELATIONS=open.
  const [node_id, relation_id] = [randomUUID(), randomUUID()];
  await sql(
    databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
     values ($1, 'ano.test', $2, 'prenodes', 'planned', 1, 1, 'active')`,
    [node_id, relation_id],
  );
  await ano.patch(`${NODES}${node_id}`).send({ token: 'operation' }).expect(200);
  await ano
    .put(NODES)
    .query({ relation_id })
    .expect(200, { action: [{ count: 1, merge_action: 'INSERT' }] });
  expect(await list(ano, { relation_id })).toHaveLength(1);
  await ano.delete(NODES).query({ relation_id }).expect(204);
});

test('the statement in docs/operations.md registers the relations that nodes already name', async () => {
  const docs = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const [, statement] = /## Registered relations\n[^]*?```sql\n([^]*?)```/.exec(docs)!;
  const relation_id = randomUUID();
  await sql(
    databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status)
     select gen_random_uuid(), t.tenant, $1, 'nodes', 'planned', 1, 1, 'active' from unnest(array['ano.test', 'ano.test', 'ano.third']) t (tenant)`,
    [relation_id],
  );
  const [ano] = clients;
  expect(problemOf(await post(ano, relation_id))).toEqual(invalid('#/relation_id'));
  for (let time = 0; time < 2; time++) await sql(databaseUrl, statement!);
  expect((await post(ano, relation_id)).status).toBe(201);
  expect((await ano.get(relationUrl({ relation_id }))).body).toMatchObject({ name: relation_id, pip: 'unknown', nodes: 3 });
});

test.each([
  ['one instance', [0, 0, 0]],
  ['two instances', [0, 1, 1]],
])(
  'creations and a deletion of their relation at the same time, again and again on %s, leave no node without a relation',
  async (_by, [a, b, deleter]) => {
    for (let round = 0; round < volume(2, 6); round++) {
      const { relation_id } = await createRelation(clients[0]);
      const client = (index: number): Client => clients[index === 1 ? 1 : 0];
      const requests = Array.from({ length: CREATIONS }, (_, n) =>
        post(client(n % 2 ? b! : a!), relation_id, n % 3 ? 'nodes' : 'prenodes'),
      );
      // The deletion is sent before all creations in the first round, and between two of them in the other rounds.
      requests.splice(round * 5, 0, client(deleter!).delete(relationUrl({ relation_id })));
      const created = await Promise.all(requests);
      const deletedBy = created.splice(round * 5, 1)[0]!;
      const stored = created.filter(({ status }) => status === 201).length;
      if (deletedBy.status === 204) {
        expect(stored).toBe(0);
        for (const answer of created) expect(problemOf(answer)).toEqual(invalid('#/relation_id'));
      } else {
        expect([problemOf(deletedBy), stored]).toEqual([refusal(409, 'relation-in-use'), CREATIONS]);
      }
      const [row] = await sql<{ nodes: number }>(databaseUrl, 'select count(*)::int as nodes from access_node where relation_id = $1', [
        relation_id,
      ]);
      expect(row!.nodes).toBe(stored);
      expect(await orphans()).toEqual([]);
    }
  },
);

test('an import stores rows of relations that its tenant has created, and rejects the other rows, naming their lines', async () => {
  const [ano] = clients;
  const { relation_id } = await createRelation(ano);
  const others = await createRelation(await operator(service, 'ano.other'));
  const rows = [relation_id, randomUUID(), others.relation_id].map((id) => `${id},planned,48.2,16.2\n`);
  const file = `relation_id,token,latitude,longitude\n${rows.join('')}`;
  const detail = 'must be a relation that you have created';
  const errors = [3, 4].map((line) => ({ line, column: 'relation_id', detail }));
  const refused = await importFile(ano, file);
  expect([refused.status, refused.body.refused, refused.body.errors]).toEqual([422, 2, errors]);
  expect(await list(ano, { relation_id })).toEqual([]);
  const answer = await importFile(ano, file, { query: { mode: 'lax' } });
  expect([counts(answer), answer.body.errors]).toEqual([done({ rows: 3, created: 1, refused: 2 }), errors]);
  expect(problemOf(await ano.delete(relationUrl({ relation_id })))).toEqual(refusal(409, 'relation-in-use'));
});

test('imports and a deletion of their relation at the same time on two instances, again and again, leave no node without a relation', async () => {
  for (let round = 0; round < volume(2, 10); round++) {
    const { relation_id } = await createRelation(clients[0]);
    const file = `token,latitude,longitude\n${'planned,48.2,16.2\n'.repeat(50)}`;
    const imports = clients.flatMap((client) =>
      ['nodes', 'prenodes'].map((target) => () => importFile(client, file, { query: { relation_id, target } })),
    );
    const [deletedBy, ...answers] = await Promise.all([
      // In half of the rounds, the deletion is sent while the imports are running.
      (round % 2 ? setImmediate() : Promise.resolve()).then(() => clients[round % 2]!.delete(relationUrl({ relation_id }))),
      ...imports.map((send) => send()),
    ]);
    const kept = answers.filter(({ status }) => status === 200).length;
    if (deletedBy.status === 204) {
      expect(answers.map(({ status, body }) => [status, body.code, body.refused])).toEqual(answers.map(() => [422, 'import-refused', 50]));
    } else {
      expect([problemOf(deletedBy), kept]).toEqual([refusal(409, 'relation-in-use'), 4]);
    }
    const [row] = await sql<{ nodes: number }>(databaseUrl, 'select count(*)::int as nodes from access_node where relation_id = $1', [
      relation_id,
    ]);
    expect(row!.nodes).toBe(50 * kept);
    expect(await orphans()).toEqual([]);
  }
});

describe('step by step', () => {
  let holder: pg.Client;

  beforeEach(async () => {
    holder = new pg.Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('begin');
  });
  afterEach(() => holder.end());

  /** Stores a node on a separate connection, like a creation that has not committed yet. */
  const insert = (relation_id: string, customer_reference: string): Promise<unknown> =>
    holder.query(
      `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, customer_reference)
       values (gen_random_uuid(), 'ano.test', $1, 'nodes', 'planned', 1, 1, 'active', $2)`,
      [relation_id, customer_reference],
    );

  test.each([
    ['commit', 409],
    ['rollback', 204],
  ])('a deletion waits for a transaction that stores nodes, and after its %s returns %i', async (end, status) => {
    const relation = await createRelation(clients[0]);
    await holder.query('select from relation where relation_id = $1 for key share', [relation.relation_id]);
    await insert(relation.relation_id, 'one');
    const deleted = clients[1].delete(relationUrl(relation)).then((answer) => answer);
    await untilBlocked(databaseUrl, 1);
    await holder.query(end);
    expect((await deleted).status).toBe(status);
    expect(await orphans()).toEqual([]);
  });

  test('the statement that creates a node locks the relation as soon as it has found it', async () => {
    const relation = await createRelation(clients[0]);
    await insert(relation.relation_id, 'one');
    const given = newNode({ relation_id: relation.relation_id, customer_reference: 'one' });
    const created = clients[0]
      .post(NODES)
      .send(given)
      .then((answer) => answer);
    await untilBlocked(databaseUrl, 1);
    const deleted = clients[1].delete(relationUrl(relation)).then((answer) => answer);
    await untilBlocked(databaseUrl, 2);
    await holder.query('rollback');
    expect((await created).status).toBe(201);
    expect(problemOf(await deleted)).toEqual(refusal(409, 'relation-in-use'));
  });

  test('a creation waits for a running deletion: if that commits, the node is rejected; otherwise, it is stored', async () => {
    for (const [end, expected] of [
      ['commit', 422],
      ['rollback', 201],
    ] as const) {
      const { relation_id } = await createRelation(clients[0]);
      await holder.query('delete from relation where relation_id = $1', [relation_id]);
      const created = post(clients[0], relation_id).then((answer) => answer);
      await untilBlocked(databaseUrl, 1);
      await holder.query(`${end}; begin`);
      expect((await created).status).toBe(expected);
    }
    expect(await orphans()).toEqual([]);
  });

  test('an import waits for a running deletion: if that commits, the import is rejected; otherwise, it succeeds', async () => {
    for (const [end, expected] of [
      ['commit', 422],
      ['rollback', 200],
    ] as const) {
      const { relation_id } = await createRelation(clients[0]);
      await holder.query('delete from relation where relation_id = $1', [relation_id]);
      const imported = importFile(clients[0], 'token,latitude,longitude\nplanned,48.2,16.2\n', { query: { relation_id } });
      await untilBlocked(databaseUrl, 1);
      await holder.query(`${end}; begin`);
      expect((await imported).status).toBe(expected);
    }
    expect(await orphans()).toEqual([]);
  });

  test('creating nodes does not block a change to their relation or its name, and the change does not block creating nodes', async () => {
    const relation = await createRelation(clients[0]);
    await holder.query('select from relation where relation_id = $1 for key share', [relation.relation_id]);
    const renamed = await clients[0].patch(relationUrl(relation)).send({ name: randomUUID(), pip: 'x', comment: 'x' });
    expect(renamed.status).toBe(200);
    await holder.query('rollback; begin');
    await holder.query('update relation set name = gen_random_uuid()::text where relation_id = $1', [relation.relation_id]);
    expect((await post(clients[0], relation.relation_id)).status).toBe(201);
  });

  test('deleting a relation with nodes is rejected without waiting for transactions that create more', async () => {
    const relation = await createRelation(clients[0]);
    await create(clients[0], { relation_id: relation.relation_id });
    await holder.query('select from relation where relation_id = $1 for key share', [relation.relation_id]);
    expect(problemOf(await clients[0].delete(relationUrl(relation)))).toEqual(refusal(409, 'relation-in-use'));
  });

  test('a deletion with If-Match sees the change that it waited for', async () => {
    const relation = await createRelation(clients[0]);
    await holder.query(`update relation set pip = 'x', version = version + 1 where relation_id = $1`, [relation.relation_id]);
    const deleted = clients[1]
      .delete(relationUrl(relation))
      .set('if-match', '"1"')
      .then((answer) => answer);
    await untilBlocked(databaseUrl, 1);
    await holder.query('commit');
    expect(problemOf(await deleted)).toEqual(refusal(412, 'precondition-failed'));
  });

  test('a change waits for a running deletion, and then finds nothing', async () => {
    const relation = await createRelation(clients[0]);
    await holder.query('delete from relation where relation_id = $1', [relation.relation_id]);
    const changed = clients[0]
      .patch(relationUrl(relation))
      .send({ pip: 'x' })
      .then((answer) => answer);
    await untilBlocked(databaseUrl, 1);
    await holder.query('commit');
    expect(problemOf(await changed)).toEqual(refusal(404, 'not-found'));
  });
});
