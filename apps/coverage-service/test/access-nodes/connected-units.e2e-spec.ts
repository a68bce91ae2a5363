import { randomUUID } from 'node:crypto';
import { Follower, startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import type { Response } from 'supertest';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, invalid, list, type Node, newNode, NODES, operator, problemOf } from './access-nodes.js';
import { counts, done, importFile } from '../node-import/imports.js';

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

const BOTH = invalid('#/units_connected', '#/units');
const make = (fields: object, target?: string): Promise<Node> => create(ano, { relation_id, ...fields }, target);
const patch = (node: Node, changes: object): Promise<Response> =>
  ano
    .patch(`${NODES}${node.node_id}`)
    .send(changes)
    .then((it) => it);
const read = async (node: Node) => (await ano.get(`${NODES}${node.node_id}`)).body as Node;
const setOf = (nodes: readonly Node[], set: object, query: object = {}): Promise<Response> =>
  ano
    .patch(NODES)
    .query(query)
    .send({ node_ids: nodes.map(({ node_id }) => node_id), set })
    .then((it) => it);
const ROW = { token: 'operation', center: '48, 16' };
const importRow = (row: object, query: object = {}): Promise<Response> =>
  importFile(ano, JSON.stringify({ ...ROW, ...row }), { format: 'ndjson', query: { relation_id, ...query } }).then((it) => it);

/** Fields that fit, and fields that do not. */
const FIT = [{ units: 3, units_connected: 3 }, { units: 3, units_connected: 0 }, { units: 0, units_connected: 0 }, { units: 3 }, {}];
const MISFIT = [{ units: 3, units_connected: 4 }, { units: 0, units_connected: 1 }, { units_connected: 1 }, { units_connected: 0 }];

test('no more units are connected than there are; otherwise both fields are named', async () => {
  for (const fields of FIT) {
    const node = await make(fields);
    expect(node).toMatchObject(fields);
    expect(await read(node)).toEqual(node);
  }
  for (const fields of [...MISFIT, { units: null, units_connected: 1 }])
    expect([fields, problemOf(await ano.post(NODES).send(newNode(fields)))]).toEqual([fields, BOTH]);
  const answer = await ano.post(NODES).send(newNode({ units: 3, units_connected: 4, address_id: 'x' }));
  expect(problemOf(answer)).toEqual(invalid('#/address_id', '#/units_connected', '#/units'));
  expect(answer.body.detail).toContain('must not be more than units, which is 3');
});

test.each([-1, 10_001, 1.5, '1', '', true, [1], {}])(
  'units_connected is a whole number from 0 to 10,000, not %j',
  async (units_connected) => {
    expect(problemOf(await ano.post(NODES).send(newNode({ units: 10_000, units_connected })))).toEqual(invalid('#/units_connected'));
  },
);

test.each<[Record<string, unknown>, Record<string, unknown>, boolean]>([
  [{ units: 3 }, { units_connected: 3 }, true],
  [{ units: 3 }, { units_connected: 4 }, false],
  [{}, { units_connected: 0 }, false],
  [{}, { units_connected: null }, true],
  [{}, { units: 2, units_connected: 2 }, true],
  [{}, { units: 2, units_connected: 3 }, false],
  [{}, { units: null, units_connected: 3 }, false],
  [{ units: 3, units_connected: 2 }, { units: 2 }, true],
  [{ units: 3, units_connected: 2 }, { units: 1 }, false],
  [{ units: 3, units_connected: 2 }, { units: null }, false],
  [{ units: 3, units_connected: 0 }, { units: null }, false],
  [{ units: 3, units_connected: 2 }, { units: null, units_connected: null }, true],
  [{ units: 3, units_connected: 2 }, { units: 1, units_connected: null }, true],
  [{ units: 3, units_connected: 2 }, { units: 1, units_connected: 1 }, true],
  [{ units: 3, units_connected: 2 }, { units_connected: null }, true],
  [{ units: 3, units_connected: 2 }, { address: 'Hof 1' }, true],
])('of %j, the patch %j is allowed: %j', async (before, changes, isAllowed) => {
  const node = await make(before);
  const answer = await patch(node, changes);
  if (isAllowed) {
    const after = Object.entries({ ...node, ...changes, modified_at: expect.any(String) }).filter(([, value]) => value !== null);
    expect([answer.status, answer.body]).toEqual([200, Object.fromEntries(after)]);
  } else {
    expect(problemOf(answer)).toEqual(BOTH);
    expect(await read(node)).toEqual(node);
  }
  // The same of several nodes.
  const several = [await make(before), await make(before, 'prenodes')];
  const areBothGiven = 'units' in changes && 'units_connected' in changes;
  for (const query of [{ dry_run: 'true' }, {}]) {
    const many = await setOf(several, changes, query);
    if (isAllowed) expect(many.status).toBe(200);
    else if (areBothGiven) expect(problemOf(many)).toEqual(invalid('#/set/units_connected', '#/set/units'));
    else expect(problemOf(many)).toEqual(invalid('#/node_ids/0', '#/node_ids/0', '#/node_ids/1', '#/node_ids/1'));
  }
  if (isAllowed)
    expect(await Promise.all(several.map(read))).toEqual(several.map((other) => expect.objectContaining({ node_id: other.node_id })));
  else expect(await Promise.all(several.map(read))).toEqual(several);
});

test('an update of several nodes names those that it does not fit, and changes none', async () => {
  const nodes = [await make({ units: 4 }), await make({ units: 2 }), await make({ units: 3, units_connected: 1 }), await make({})];
  const answer = await setOf(nodes, { units_connected: 3 });
  expect(answer.body.errors).toEqual([
    { pointer: '#/node_ids/1', detail: 'units_connected must not be more than units, which is 2' },
    { pointer: '#/node_ids/1', detail: 'units must not be less than units_connected, which is 3' },
    { pointer: '#/node_ids/3', detail: 'units_connected is 3, but the node has no units' },
    { pointer: '#/node_ids/3', detail: 'units is required with units_connected' },
  ]);
  expect(await Promise.all(nodes.map(read))).toEqual(nodes);
  expect((await setOf([nodes[0]!, nodes[2]!], { units_connected: 3 })).body).toEqual({ updated: 2, unchanged: 0 });
});

test('in a file, both columns of a row are named, and a row without units clears what the node had', async () => {
  for (const fields of MISFIT) {
    const { status, body } = await importRow(fields);
    expect([status, body.code, body.refused]).toEqual([422, 'import-refused', 1]);
    expect((body.errors as { column: string }[]).map(({ column }) => column)).toEqual(['units_connected', 'units']);
  }
  const node = await make({ ...ROW, customer_reference: 'r', units: 3, units_connected: 2 });
  expect((await importRow({ customer_reference: 'r', units_connected: 2 })).status).toBe(422);
  expect(await read(node)).toEqual(node);
  expect(counts(await importRow({ customer_reference: 'r', units: 3, units_connected: 2 }))).toEqual(done({ rows: 1, unchanged: 1 }));
  expect(counts(await importRow({ customer_reference: 'r', units: 1, units_connected: 1 }))).toEqual(done({ rows: 1, updated: 1 }));
  expect(counts(await importRow({ customer_reference: 'r' }))).toEqual(done({ rows: 1, updated: 1 }));
  expect(await read(node)).not.toHaveProperty('units_connected');
  const table = 'token;center;units;units_connected;address\noperation;1, 1;3,0;4;Hof 1\noperation;1, 1;3,0;2,0;Hof 2';
  const { body } = await importFile(ano, table, { query: { relation_id, mode: 'lax' } });
  expect(body).toMatchObject({ rows: 2, created: 1, refused: 1, refused_lines: [[2, 2]] });
  expect((await list(ano, { relation_id })).at(-1)).toMatchObject({ units: 3, units_connected: 2, address: 'Hof 2' });
});

test('a merge replaces both at once', async () => {
  const node = await make({ customer_reference: 'r', units: 3, units_connected: 3 });
  for (const fields of [{ units: 2, units_connected: 1 }, { units: 9, units_connected: 9 }, {}]) {
    await make({ customer_reference: 'r', ...fields }, 'prenodes');
    expect((await ano.put(NODES).query({ relation_id })).body).toEqual({ action: [{ count: 1, merge_action: 'UPDATE' }] });
    const { units, units_connected } = await read(node);
    expect({ units, units_connected }).toEqual({ units: undefined, units_connected: undefined, ...fields });
  }
});

test('concurrent changes of one field each never leave more connected than there are', async () => {
  const node = await make({ units: 5, units_connected: 5 });
  const answers = await Promise.all(
    Array.from({ length: volume(40, 400) }, (_, n) =>
      n % 4 === 3 ? setOf([node], { units_connected: n % 7 }) : patch(node, n % 2 ? { units: 3 + (n % 5) } : { units_connected: n % 7 }),
    ),
  );
  expect(answers.map(({ status }) => status).filter((status) => ![200, 422].includes(status))).toEqual([]);
  for (const { status, body } of answers)
    if (status === 200 && body.node_id !== undefined) expect(body.units_connected).toBeLessThanOrEqual(body.units);
    else if (status === 422) expect(body.code).toBe('invalid-request');
  const { units, units_connected } = await read(node);
  expect(Number(units_connected)).toBeLessThanOrEqual(Number(units));
});

test('a refused change is in no feed, and leaves the entity tag alone; an outdated tag comes before it', async () => {
  const node = await make({ units: 3, units_connected: 3 });
  const follower = new Follower(ano, `${NODES}changes/`);
  await follower.catchUp();
  const conditional = (tag: string) => ano.patch(`${NODES}${node.node_id}`).set('if-match', tag).send({ units: 1 });
  expect(problemOf(await conditional('"1"'))).toEqual(BOTH);
  expect((await conditional('"7"')).status).toBe(412);
  expect((await patch({ ...node, node_id: randomUUID() }, { units: 1 })).status).toBe(404);
  expect((await ano.get(`${NODES}${node.node_id}`)).headers['etag']).toBe('"1"');
  expect(await follower.catchUp()).toEqual([]);
});
