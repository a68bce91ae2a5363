import { randomUUID } from 'node:crypto';
import { startTestService, type TestService, until } from '@fibre/testing';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { sql } from '../database/sql.js';
import { type Client, create, invalid, type Node, NODES, operator, problemOf, refusal } from './access-nodes.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const patch = (id: string, body: object) => ano.patch(`${NODES}${id}/`).send(body);
const read = async (id: string): Promise<Node> => (await ano.get(`${NODES}${id}`)).body as Node;

const EVERYTHING = { technology: 'ftth', status: 'started', customer_reference: 'ours', country: 'AT', address_id: 'A-1', lot_id: 'L-1' };

test('a patch changes only the fields that it contains and returns the whole node', async () => {
  const before = await create(ano, EVERYTHING);
  const answer = await patch(before.node_id, { token: 'operation' });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ...before, token: 'operation', modified_at: expect.any(String) });
  expect(answer.headers['etag']).toBe('"2"');
  expect(answer.body.modified_at >= before.modified_at).toBe(true);
  expect(await read(before.node_id)).toEqual(answer.body);
});

test('an update that the database cancels gets 503, even if there is no such node', async () => {
  const blocker = new pg.Client(service.databaseUrl);
  await blocker.connect();
  try {
    // Other statements can still read.
    await blocker.query('begin; lock table access_node in share mode');
    const answer = patch(randomUUID(), { token: 'operation' }).then(problemOf);
    await until('a statement that waits is cancelled', async () => {
      const [row] = await sql<{ cancelled: boolean }>(
        service.databaseUrl,
        `select pg_cancel_backend(pid) as cancelled from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.cancelled;
    });
    expect(await answer).toEqual(refusal(503, 'unavailable'));
  } finally {
    await blocker.end();
  }
});

test.each([
  ['planned', 'operation'],
  ['operation', 'planned'],
  ['construction', 'construction'],
])('the token may change from %s to %s', async (from, to) => {
  const { node_id } = await create(ano, { token: from });
  expect((await patch(node_id, { token: to })).body.token).toBe(to);
});

test('every settable field can be changed, and null clears an optional one', async () => {
  const { node_id, created_at, relation_id } = await create(ano, EVERYTHING);
  const changes = {
    token: 'construction',
    center: '-33.5,151.25',
    technology: 'DOCSIS',
    status: 'suspended',
    customer_reference: 'theirs',
    country: 'de',
    address_id: 'A-2',
    lot_id: 'L-2',
  };
  const { body } = await patch(node_id, changes);
  expect(body).toMatchObject({ ...changes, center: '-33.5, 151.25', country: 'DE', created_at, relation_id });

  const cleared = await patch(node_id, Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, null])));
  expect(cleared.body).toEqual({
    ...Object.fromEntries(
      ['node_id', 'relation_id', 'collection', 'token', 'center', 'tenant', 'created_at', 'created_by'].map((name) => [name, body[name]]),
    ),
    status: 'active',
    modified_at: expect.any(String),
    modified_by: 'client',
  });
});

test('required fields cannot be cleared', async () => {
  const { node_id } = await create(ano);
  expect(problemOf(await patch(node_id, { token: null, center: null }))).toEqual(invalid('#/token', '#/center'));
});

test('an empty patch changes nothing', async () => {
  const node = await create(ano, EVERYTHING);
  const answer = await patch(node.node_id, {});
  expect([answer.status, answer.headers['etag'], answer.body]).toEqual([200, '"1"', node]);
  expect(problemOf(await patch(randomUUID(), {}))).toEqual(refusal(404, 'not-found'));
});

test.each(['node_id', 'relation_id', 'collection', 'tenant', 'created_at', 'modified_at'])(
  '%s is read-only: its own value and null are rejected too',
  async (name) => {
    const node = await create(ano);
    for (const value of [node[name], null, 'x']) {
      const answer = await patch(node.node_id, { [name]: value });
      expect(problemOf(answer)).toEqual(invalid(`#/${name}`));
      expect(answer.body.errors[0].detail).toBe('is read-only');
    }
  },
);

test('a patch follows the same rules as a creation and reports every invalid field', async () => {
  const node = await create(ano);
  const answer = await patch(node.node_id, {
    token: 'x',
    center: '1',
    technology: '',
    status: 'x',
    customer_reference: '',
    country: 'x',
    address_id: '',
    lot_id: 7,
    owner: null,
  });
  expect(problemOf(answer)).toEqual(
    invalid('#/token', '#/center', '#/technology', '#/status', '#/customer_reference', '#/country', '#/address_id', '#/lot_id', '#/owner'),
  );
  expect(await read(node.node_id)).toEqual(node);
});

test('a patch may be application/merge-patch+json, which no other operation accepts', async () => {
  const { node_id } = await create(ano);
  const answer = await ano.patch(`${NODES}${node_id}`).type('application/merge-patch+json').send('{"token":"operation"}');
  expect([answer.status, answer.body.token]).toEqual([200, 'operation']);
  expect(problemOf(await ano.post(NODES).type('application/merge-patch+json').send('{}'))).toEqual(refusal(415, 'unsupported-media-type'));
});

test('nodes of either collection are read, changed and deleted by id', async () => {
  for (const target of ['nodes', 'prenodes']) {
    const { node_id } = await create(ano, {}, target);
    expect((await patch(node_id, { token: 'operation' })).body).toMatchObject({ collection: target, token: 'operation' });
    const deleted = await ano.delete(`${NODES}${node_id}/`);
    expect([deleted.status, deleted.text, deleted.headers['content-type']]).toEqual([204, '', undefined]);
    for (const gone of [ano.get(`${NODES}${node_id}`), patch(node_id, { token: 'planned' }), ano.delete(`${NODES}${node_id}`)]) {
      expect(problemOf(await gone)).toEqual(refusal(404, 'not-found'));
    }
  }
});

test('an id in upper case finds the node, and an invalid UUID is rejected', async () => {
  const node = await create(ano);
  expect((await ano.get(`${NODES}${node.node_id.toUpperCase()}`)).body).toEqual(node);
  for (const id of ['1', `${node.node_id}0`, `{${node.node_id}}`, node.node_id.replaceAll('-', ''), '%00', 'latest']) {
    for (const answer of [await ano.get(`${NODES}${id}`), await patch(id, {}), await ano.delete(`${NODES}${id}`)]) {
      expect([id, problemOf(answer)]).toEqual([id, invalid('node_id')]);
    }
  }
});

test('a patch cannot take the customer reference of another node in the same relation and collection', async () => {
  const relation_id = randomUUID();
  const first = await create(ano, { relation_id, customer_reference: 'one' });
  const second = await create(ano, { relation_id, customer_reference: 'two' });
  const answer = await patch(second.node_id, { customer_reference: 'one', token: 'operation' });
  expect(problemOf(answer)).toMatchObject({ status: 409, code: 'customer-reference-taken' });
  expect(answer.body.conflicts_with).toEqual([{ node_id: first.node_id }]);
  expect(await read(second.node_id)).toEqual(second);
  expect((await patch(second.node_id, { customer_reference: 'two' })).status).toBe(200);
  expect((await patch((await create(ano, { relation_id }, 'prenodes')).node_id, { customer_reference: 'one' })).status).toBe(200);
});
