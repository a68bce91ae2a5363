import { randomUUID } from 'node:crypto';
import { withClient } from '@fibre/embedded-postgres';
import { Follower, startTestService, type TestService } from '@fibre/testing';
import type { Response } from 'supertest';
import { coverageService } from '../../src/coverage-service.js';
import { sql, untilBlocked } from '../database/sql.js';
import { importFile } from '../node-import/imports.js';
import { type Client, create, invalid, list, type Node, NODES, operator, problemOf, refusal } from './access-nodes.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { ADDRESS_ID_PATTERN: '[0-9]{7}', ADDRESS_SCHEME: 'ADRCD' });
  ano = await operator(service);
});
beforeEach(() => {
  relation_id = randomUUID();
});
afterAll(() => service.close());

const set = (nodes: readonly { node_id: string }[], changes: object, query: object = {}) =>
  ano
    .patch(NODES)
    .query(query)
    .send({ node_ids: nodes.map(({ node_id }) => node_id), set: changes });
const make = (overrides: Record<string, unknown> = {}, target = 'nodes'): Promise<Node> =>
  create(ano, { relation_id, ...overrides }, target);
const several = (count: number, target = 'nodes'): Promise<Node[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make({ customer_reference: `r${n}` }, target)));
const read = async ({ node_id }: { node_id: string }): Promise<Response> => ano.get(`${NODES}${node_id}`);

test('the same values are set in nodes of both collections and of several relations; equal nodes stay as they are', async () => {
  const [one, draft, elsewhere] = [await make(), await make({}, 'prenodes'), await create(ano)];
  const equal = await make({ token: 'operation', technology: 'ftth', available_from: '2027-01-01', units: 3, status: 'suspended' });
  const follower = new Follower(ano, `${NODES}changes/`);
  await follower.catchUp();
  const changes = { token: 'operation', technology: 'ftth', available_from: '2027-01-01', units: 3, status: 'suspended' };
  const answer = await set([one, draft, elsewhere, equal], changes);
  expect([answer.status, answer.body]).toEqual([200, { updated: 3, unchanged: 1 }]);
  for (const node of [one, draft, elsewhere]) {
    const { body, headers } = await read(node);
    expect(body).toEqual({ ...node, ...changes, modified_at: expect.any(String) });
    expect([headers['etag'], body.modified_at > node.modified_at]).toEqual(['"2"', true]);
  }
  const untouched = await read(equal);
  expect([untouched.headers['etag'], untouched.body]).toEqual(['"1"', equal]);
  // The feed, which webhooks follow too, has the changed production nodes.
  expect((await follower.catchUp()).map(({ node }) => node!['node_id']).sort()).toEqual([one.node_id, elsewhere.node_id].sort());
  expect((await set([one, draft], changes)).body).toEqual({ updated: 0, unchanged: 2 });
});

test('null clears an optional field, and an empty patch changes nothing', async () => {
  const nodes = [await make({ technology: 'ftth', status: 'started' }), await make()];
  expect((await set(nodes, {})).body).toEqual({ updated: 0, unchanged: 2 });
  expect((await set(nodes, { technology: null, status: null })).body).toEqual({ updated: 1, unchanged: 1 });
  expect((await read(nodes[0]!)).body).not.toHaveProperty('technology');
  expect((await read(nodes[0]!)).body.status).toBe('active');
});

test('a dry run checks and counts everything, and changes nothing', async () => {
  const nodes = await several(3);
  const answer = await set(nodes, { token: 'operation' }, { dry_run: 'true' });
  expect([answer.status, answer.body]).toEqual([200, { updated: 3, unchanged: 0 }]);
  expect(problemOf(await set([...nodes, { node_id: randomUUID() }], {}, { dry_run: 'true' })).code).toBe('nodes-not-found');
  expect(problemOf(await set(nodes, {}, { dry_run: 'yes', x: 1 }))).toEqual(invalid('dry_run', 'x'));
  expect(await list(ano, { relation_id })).toEqual(nodes.toSorted((a, b) => (a.node_id < b.node_id ? -1 : 1)));
});

test('nodes that do not exist, or belong to another tenant, are all named, and nothing is changed', async () => {
  const own = await make();
  const strange = await create(await operator(service, 'ano.other'));
  const absent = Array.from({ length: 500 }, () => randomUUID());
  const answer = await ano.patch(NODES).send({ node_ids: [own.node_id, strange.node_id, ...absent], set: { token: 'operation' } });
  const named = answer.body.errors as { pointer: string; detail: string }[];
  expect([answer.status, answer.body.code, named.length]).toEqual([422, 'nodes-not-found', 501]);
  for (const [index, id] of [strange.node_id, ...absent].entries()) expect(named[index]!.detail).toContain(id);
  expect(named.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 501 }, (_, index) => `#/node_ids/${index + 1}`));
  expect((await read(own)).body).toEqual(own);
});

test('up to 1,000 ids are accepted; repeated ones, in either case, count once', async () => {
  const [one, two] = await several(2);
  const node_ids = Array.from({ length: 1_000 }, (_, n) => (n % 2 ? one!.node_id : two!.node_id.toUpperCase()));
  const answer = await ano.patch(NODES).send({ node_ids, set: { lot_id: 'L' } });
  expect([answer.status, answer.body]).toEqual([200, { updated: 2, unchanged: 0 }]);
  expect((await read(one!)).headers['etag']).toBe('"2"');
  expect(problemOf(await ano.patch(NODES).send({ node_ids: [...node_ids, one!.node_id], set: {} }))).toEqual(invalid('#/node_ids'));
});

test.each<[object, string[]]>([
  [{}, ['#/node_ids', '#/set']],
  [{ node_ids: [], set: null }, ['#/node_ids', '#/set']],
  [{ node_ids: 'x', set: 'x' }, ['#/node_ids', '#/set']],
  [{ node_ids: {}, set: [] }, ['#/node_ids', '#/set']],
  [{ node_ids: [randomUUID(), 7, 'x', null, {}], set: {} }, ['#/node_ids/1', '#/node_ids/2', '#/node_ids/3', '#/node_ids/4']],
  [{ node_ids: [randomUUID()], set: { center: '48, 16', customer_reference: 'x' } }, ['#/set/center', '#/set/customer_reference']],
  [{ node_ids: [randomUUID()], set: { relation_id: randomUUID(), tenant: null } }, ['#/set/relation_id', '#/set/tenant']],
  [
    { node_ids: [randomUUID()], set: { token: null, status: 'x', units: -1, technology: '=1', available_from: '2026-02-30', x: 1 } },
    ['#/set/token', '#/set/status', '#/set/units', '#/set/technology', '#/set/available_from', '#/set/x'],
  ],
  [{ node_ids: [randomUUID()], set: { address_id: '12' } }, ['#/set/address_id']],
  [{ node_ids: [randomUUID()], set: {}, token: 'operation' }, ['#/token']],
])('%j is invalid', async (body, offenders) => {
  expect(problemOf(await ano.patch(NODES).send(body))).toEqual(invalid(...offenders));
});

test('a mebibyte of nonsense is refused', async () => {
  const send = (text: string) => ano.patch(NODES).type('application/json').send(text);
  expect(problemOf(await send('x'.repeat(1_048_576)))).toEqual(refusal(400, 'malformed-request'));
  expect(problemOf(await send('x'.repeat(1_048_577)))).toEqual(refusal(413, 'payload-too-large'));
  expect(problemOf(await send(`{"node_ids":[${'0,'.repeat(520_000)}0],"set":{}}`))).toEqual(invalid('#/node_ids'));
  expect(problemOf(await send(`{"node_ids":[${'"x",'.repeat(999)}"x"],"set":{}}`)).offenders).toHaveLength(100);
});

test('a node that changes while the update waits for it is compared as it is then', async () => {
  const [one, two] = [await make(), await make()];
  const answer = await withClient(service.databaseUrl, async (holder) => {
    await holder.query('begin');
    await holder.query(`update access_node set lot_id = 'L', version = version + 1 where node_id = $1`, [one.node_id]);
    const updated = set([one, two], { lot_id: 'L' }).then((it) => it);
    await untilBlocked(service.databaseUrl, 1);
    await holder.query('commit');
    return updated;
  });
  expect(answer.body).toEqual({ updated: 1, unchanged: 1 });
  expect((await read(one)).headers['etag']).toBe('"2"');
});

test('updates that race with merges, imports, deletions and single changes are all or nothing, and nothing waits in a circle', async () => {
  const deadlocks = async (): Promise<string> =>
    (await sql<{ deadlocks: string }>(service.databaseUrl, `select deadlocks from pg_stat_database where datname = current_database()`))[0]!
      .deadlocks;
  const before = await deadlocks();
  for (let round = 0; round < 4; round++) {
    relation_id = randomUUID();
    const other = randomUUID();
    const nodes = [...(await several(20)), ...(await several(20, 'prenodes'))];
    relation_id = other;
    nodes.push(...(await several(10)));
    const file = (lot: string): string =>
      [
        'token,latitude,longitude,lot_id,customer_reference',
        ...Array.from({ length: 30 }, (_, n) => `planned,48,16,${lot},r${29 - n}`),
      ].join('\n');
    const updates: Promise<Response>[] = [];
    const work: Promise<Response>[] = [];
    for (let n = 0; n < 8; n++) {
      const order = n % 2 ? nodes : nodes.toReversed();
      updates.push(set(n < 4 ? order : order.slice(0, 25), { units: n }).then((it) => it));
      for (const relation of [nodes[0]!.relation_id, other]) {
        work.push(
          ano
            .put(NODES)
            .query({ relation_id: relation })
            .then((it) => it),
        );
        if (n % 4 === 0) work.push(importFile(ano, file(`lot ${n}`), { query: { relation_id: relation } }).then((it) => it));
        if (n === 7)
          work.push(
            ano
              .delete(NODES)
              .query({ relation_id: relation, target: 'prenodes' })
              .then((it) => it),
          );
      }
      work.push(
        ano
          .patch(`${NODES}${nodes[n]!.node_id}`)
          .send({ customer_reference: `moved ${n}` })
          .then((it) => it),
      );
      if (round % 2) work.push(ano.delete(`${NODES}${nodes[n + 8]!.node_id}`).then((it) => it));
    }
    const [answers, others] = [await Promise.all(updates), await Promise.all(work)];
    expect([...answers, ...others].filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
    for (const { status, body } of answers)
      expect(status === 200 ? body.updated + body.unchanged >= 25 : body.code).toEqual(status === 200 ? true : 'nodes-not-found');
    // An update that succeeded reached every node that it names; the last one to do so decides.
    const left = await Promise.all(nodes.map(read));
    const units = new Set(left.filter(({ status }) => status === 200).map(({ body }) => body.units as number | undefined));
    expect(units.size).toBeLessThanOrEqual(3);
  }
  expect(await deadlocks()).toBe(before);
});
