import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, operator } from '../access-nodes/access-nodes.js';
import { createRelation } from '../relations/relations.js';

const FIND = '/v2/cov/find/';

type Found = Readonly<Record<'kind' | 'id' | 'label' | 'matched', string>>;

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const find = async (q: string, client = ano): Promise<Found[]> => (await client.get(FIND).query({ q }).expect(200)).body as Found[];
const ids = async (q: string): Promise<string[]> => (await find(q)).map(({ id }) => id);

test('finds relations and nodes of both collections by what their names and references begin with, whatever the case', async () => {
  const { relation_id } = await createRelation(ano, { name: 'Dorfnetz Wagram' });
  const node = await create(ano, { relation_id, customer_reference: 'Dorf-1', address_id: 'AT.Dorf.7', center: '48.2, 16.3' });
  const prenode = await create(ano, { relation_id, customer_reference: 'dorf-2' }, 'prenodes');
  const relation = { kind: 'relation', id: relation_id, label: 'Dorfnetz Wagram', matched: 'name' };
  const first = { kind: 'node', id: node.node_id, label: 'Dorf-1', matched: 'customer_reference' };
  const second = { kind: 'prenode', id: prenode.node_id, label: 'dorf-2', matched: 'customer_reference' };
  expect(await find('DORF')).toEqual([relation, first, second]);
  expect(await find('dorfnetz')).toEqual([relation]);
  expect(await find('at.dorf')).toEqual([{ ...first, label: 'AT.Dorf.7', matched: 'address_id' }]);
  expect(await find('wagram')).toEqual([relation]);
  expect((await ano.get('/v2/cov/find').query({ q: 'dorf-1' }).expect(200)).body).toEqual([first]);

  const byId = { ...first, label: '48.2, 16.3', matched: 'node_id' };
  expect(await find(node.node_id)).toEqual([byId]);
  for (const q of [node.node_id.slice(0, 18), node.node_id.toUpperCase().slice(0, 24), node.node_id.slice(-8), node.node_id.slice(-12)])
    expect([q, await find(q)]).toEqual([q, [byId]]);
  // Many nodes of a minute have these in common.
  for (const q of [node.node_id.slice(0, 8), node.node_id.slice(0, 17), node.node_id.slice(-7)])
    expect([q, await find(q)]).toEqual([q, []]);
  const another = node.node_id.at(-12) === '0' ? '1' : '0';
  expect(await find(`${another}${node.node_id.slice(-11)}`)).toEqual([]);
  expect(await find(prenode.node_id)).toEqual([{ ...second, label: '48.208555, 16.372966', matched: 'node_id' }]);
  expect(await find(relation_id)).toEqual([{ ...relation, matched: 'relation_id' }]);
});

test("finds nodes of both collections by the words of their address, the tenant's alone", async () => {
  const address = 'Größenweg 12a, 4020 Linz';
  const node = await create(ano, { address, customer_reference: 'grossen-1' });
  const prenode = await create(ano, { address: 'Groessenweg 12b, 4020 Linz' }, 'prenodes');
  await create(await operator(service, 'ano.other'), { address });
  const result = { kind: 'node', id: node.node_id, label: address, matched: 'address' };
  expect(await find('linz GRÖSSEN 12')).toEqual([
    result,
    { ...result, kind: 'prenode', id: prenode.node_id, label: 'Groessenweg 12b, 4020 Linz' },
  ]);
  expect(await find('groessenweg 12A, 4020 linz')).toEqual([result]);
  expect(await find('grossen')).toEqual([
    { ...result, label: 'grossen-1', matched: 'customer_reference' },
    { ...result, kind: 'prenode', id: prenode.node_id, label: 'Groessenweg 12b, 4020 Linz' },
  ]);
  for (const q of ['@ano.test', '@ano.other', '.,;', 'ano.test', 'a b c d e f g h i', "'@ano.other'", 'grossen | graz', 'grossen & !x'])
    expect([q, await find(q)]).toEqual([q, []]);
});

test('finds each word of a name', async () => {
  const names = ['Breitband Tulln', 'Netz (Breitband)', 'Süd-Breitband/West', 'Glasbreitband', 'breitband'];
  const made = new Map<string, string>();
  for (const name of names) made.set((await createRelation(ano, { name })).relation_id, name);
  expect((await ids('breitband')).map((id) => made.get(id))).toEqual([
    'breitband',
    'Breitband Tulln',
    'Netz (Breitband)',
    'Süd-Breitband/West',
  ]);
  expect((await ids('breitband/we')).map((id) => made.get(id))).toEqual(['Süd-Breitband/West']);
});

test('exact matches come first, each record appears once, and there are at most ten', async () => {
  const { relation_id } = await createRelation(ano, { name: 'Order 1 of many' });
  const exact = await create(ano, { address_id: 'ORDER 1', customer_reference: 'order 100' });
  const others: string[] = [];
  for (let n = 2; n < 14; n++) others.push((await create(ano, { customer_reference: `Order 1${n}` })).node_id);
  const found = await ids('order 1');
  expect(found).toHaveLength(10);
  expect(found.slice(0, 3)).toEqual([exact.node_id, relation_id, others.find((_, index) => index + 2 === 10)]);
  expect(new Set(found).size).toBe(10);

  // The address is exact however it is written, and comes before a reference that only begins so.
  const begun = await create(ano, { customer_reference: 'kurzweg 1/9' });
  const whole = await create(ano, { address: 'Kürzweg 1' });
  expect(await ids('kurzweg 1')).toEqual([whole.node_id, begun.node_id]);
});

test("a tenant never finds another tenant's records", async () => {
  const other = await operator(service, 'ano.other');
  const { relation_id } = await createRelation(other, { name: 'Foreign' });
  const { node_id } = await create(other, { relation_id, customer_reference: 'foreign-1', address_id: 'foreign-2' });
  for (const q of ['foreign', 'Foreign', 'foreign-1', relation_id, node_id]) expect([q, await find(q)]).toEqual([q, []]);
  expect(await find('foreign', other)).toHaveLength(2);
});

test('every character stands for itself, and only ASCII letters are compared without case', async () => {
  const texts = [
    '50%_a',
    String.raw`back\slash`,
    'Ösling',
    'ß/🚀🚀',
    '🚀🚀 start',
    '\u{10ffff}\u{10ffff}',
    'IISTANBUL',
    "quo'te",
    'a'.repeat(255),
  ];
  const nodes = new Map<string, string>();
  for (const text of texts) nodes.set(text, (await create(ano, { customer_reference: text })).node_id);
  for (const text of texts) {
    expect([text, await ids(text)]).toEqual([text, [nodes.get(text)]]);
    expect([text, await ids([...text].slice(0, 2).join(''))]).toEqual([text, [nodes.get(text)]]);
  }
  for (const text of [
    '%%',
    '__',
    '50_',
    String.raw`\\`,
    'ösling',
    'Istanbul',
    'ıistanbul',
    '\u{10ffff}\u{10ffff}\u{10ffff}',
    '🚀start',
    '🚀\u{ffff}',
  ])
    expect([text, await ids(text)]).toEqual([text, []]);
});

test('a text has 2 to 255 characters', async () => {
  for (const q of ['ab', 'é'.repeat(255), '🚀'.repeat(255)]) expect(await find(q)).toEqual([]);
  const refused: [string, string][] = [
    ['', 'must have 2 to 255 characters'],
    ['🚀', 'must have 2 to 255 characters'],
    ['x'.repeat(256), 'must have 2 to 255 characters'],
    ['🚀'.repeat(256), 'must have 2 to 255 characters'],
    ['a\0b', 'must not contain the NUL character'],
  ];
  for (const [q, detail] of refused) {
    const { status, body } = await ano.get(FIND).query({ q });
    expect([status, body.errors]).toEqual([422, [{ parameter: 'q', detail }]]);
  }
  expect((await ano.get(FIND)).body.errors).toEqual([{ parameter: 'q', detail: 'is required' }]);
  expect((await ano.get(FIND).query({ q: ['ab', 'cd'] })).status).toBe(422);
  expect((await ano.get(`${FIND}?q=${'x'.repeat(1_000_000)}`)).status).toBe(431);
});
