import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { validate, version } from 'uuid';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, invalid, list, newNode, NODES, operator, problemOf, TIMESTAMP } from './access-nodes.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const post = (body: object, query: Record<string, string> = {}) => ano.post(NODES).query(query).send(body);

const EVERYTHING = {
  technology: 'ftth',
  status: 'started',
  customer_reference: 'our house',
  country: 'at',
  address_id: 'A-1',
  lot_id: 'L-1',
};

test('creating a node returns 201 with Location, the entity tag and the whole node', async () => {
  const relation_id = randomUUID();
  const answer = await post(newNode({ relation_id }));
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    node_id: expect.any(String),
    relation_id,
    collection: 'nodes',
    token: 'planned',
    center: '48.208555, 16.372966',
    status: 'active',
    tenant: 'ano.test',
    created_at: expect.stringMatching(TIMESTAMP),
    created_by: 'client',
    modified_at: answer.body.created_at,
    modified_by: 'client',
  });
  expect(answer.headers).toMatchObject({ location: `${NODES}${answer.body.node_id}/`, etag: '"1"' });
  expect((await ano.get(answer.headers['location']!)).body).toEqual(answer.body);
});

test('the service assigns version 7 UUIDs in order of creation', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) ids.push((await create(ano)).node_id);
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect([...ids].sort()).toEqual(ids);
});

test('every optional field is stored, the country in upper case', async () => {
  const answer = await post(newNode(EVERYTHING));
  expect(answer.body).toMatchObject({ ...EVERYTHING, country: 'AT' });
});

test('null for an optional field means absent', async () => {
  const answer = await post(newNode(Object.fromEntries(Object.keys(EVERYTHING).map((name) => [name, null]))));
  expect(answer.status).toBe(201);
  expect(Object.keys(answer.body)).toEqual([
    'node_id',
    'relation_id',
    'collection',
    'token',
    'center',
    'status',
    'tenant',
    'created_at',
    'created_by',
    'modified_at',
    'modified_by',
  ]);
});

test('target chooses the collection', async () => {
  const relation_id = randomUUID();
  const { node_id, collection } = await create(ano, { relation_id }, 'prenodes');
  expect(collection).toBe('prenodes');
  expect(await list(ano, { relation_id, target: 'prenodes' })).toHaveLength(1);
  expect(await list(ano, { relation_id })).toEqual([]);
  expect((await ano.get(`${NODES}${node_id}`)).body.collection).toBe('prenodes');
  expect(problemOf(await post(newNode(), { target: 'prenode' }))).toEqual(invalid('target'));
});

test('an error lists every invalid part at once', async () => {
  const answer = await post(
    { relation_id: 'x', token: 'done', technology: '', status: 'new', country: 'Austria', owner: 1, 'a/b~c ü': 1 },
    { target: 'x', tarqet: 'nodes' },
  );
  expect(problemOf(answer)).toEqual(
    invalid(
      'target',
      'tarqet',
      '#/relation_id',
      '#/token',
      '#/center',
      '#/technology',
      '#/status',
      '#/country',
      '#/owner',
      '#/a~1b~0c%20%C3%BC',
    ),
  );
  for (const { pointer, parameter, detail } of answer.body.errors)
    expect(answer.body.detail).toContain(`${pointer ?? parameter}: ${detail}`);
});

test.each([
  'node_id',
  'tenant',
  'collection',
  'created_at',
  'created_by',
  'modified_at',
  'modified_by',
  'version',
  'ecef',
  'latitude',
  'toString',
  'constructor',
  '__proto__',
  'hasOwnProperty',
])('a member %s is rejected', async (name) => {
  const body = `${JSON.stringify(newNode()).slice(0, -1)},${JSON.stringify(name)}:"x"}`;
  expect(problemOf(await ano.post(NODES).type('application/json').send(body))).toEqual(invalid(`#/${name}`));
});

test('a customer reference is unique per tenant, relation and collection', async () => {
  const [relation_id, customer_reference] = [randomUUID(), 'Haus "7"\\1'];
  const { node_id } = await create(ano, { relation_id, customer_reference });
  const answer = await post(newNode({ relation_id, customer_reference }));
  expect(problemOf(answer)).toMatchObject({ status: 409, code: 'customer-reference-taken' });
  expect(answer.body.conflicts_with).toEqual([{ node_id }]);

  const free = [
    { customer_reference },
    { relation_id, customer_reference: 'haus "7"\\1' },
    { relation_id, customer_reference: `${customer_reference}  x` },
  ];
  for (const other of free) await create(ano, other);
  await create(ano, { relation_id, customer_reference }, 'prenodes');
  await create(await operator(service, 'ano.other'), { relation_id, customer_reference });
  for (let n = 0; n < 2; n++) await create(ano, { relation_id });
  await ano.delete(`${NODES}${node_id}`);
  await create(ano, { relation_id, customer_reference });
});
