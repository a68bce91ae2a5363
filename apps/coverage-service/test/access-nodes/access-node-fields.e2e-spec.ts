import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, invalid, list, newNode, NODES, operator, problemOf } from './access-nodes.js';
import { importFile } from '../node-import/imports.js';

let service: TestService;
let ano: Client;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
afterAll(() => service.close());

const post = (body: object) => ano.post(NODES).send(body);

test.each(['planned', 'construction', 'operation'])('a new node may have the token %s', async (token) => {
  expect((await create(ano, { token })).token).toBe(token);
});

test.each(['active', 'started', 'suspended', 'completed', 'terminated'])('a new node may have the status %s', async (status) => {
  expect((await create(ano, { status })).status).toBe(status);
});

test('a relation_id may be any UUID in upper or lower case, and is returned in lower case', async () => {
  const ids = [
    randomUUID().toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  ];
  for (const relation_id of ids) expect((await create(ano, { relation_id })).relation_id).toBe(relation_id.toLowerCase());
});

test.each([
  ['48.208555,16.372966', '48.208555, 16.372966'],
  ['48.2085550000, 16.3700', '48.208555, 16.37'],
  ['-0, -0.0', '0, 0'],
  ['007.5, -001.50', '7.5, -1.5'],
  ['90, 180', '90, 180'],
  ['-90, -180', '-90, -180'],
  ['0.0000000001, -0.0000000001', '0.0000000001, -0.0000000001'],
  ['89.9999999999, 179.9999999999', '89.9999999999, 179.9999999999'],
])('the center %s is returned as %s', async (center, answered) => {
  expect((await create(ano, { center })).center).toBe(answered);
});

test.each([
  '',
  '48.2',
  '48.2 16.3',
  '48,2, 16,3',
  '48.2;16.3',
  '48.2,  16.3',
  ' 48.2, 16.3',
  '4.82e1, 16.3',
  '+48.2, 16.3',
  '48., 16',
  '.5, 16',
  '90.0000000001, 0',
  '0, -180.1',
  '48.20855500000, 16',
  'NaN, 0',
  'Infinity, 0',
  '0x10, 0',
  '٤٨, ١٦',
  '48.2, 16.3\n',
  '48.2, 16.3, 0',
  48.2,
  [48.2, 16.3],
  {},
  null,
  true,
])('the center %j is rejected', async (center) => {
  expect(problemOf(await post(newNode({ center })))).toEqual(invalid('#/center'));
});

test('swapped latitude and longitude are recognized', async () => {
  const answer = await post(newNode({ center: '116.4, 39.9' }));
  expect(answer.body.errors).toEqual([
    { pointer: '#/center', detail: 'latitude must be between -90 and 90; are latitude and longitude swapped?' },
  ]);
});

test('lengths count code points, so an emoji counts as one', async () => {
  for (const [name, most] of [
    ['technology', 64],
    ['customer_reference', 255],
    ['address_id', 64],
    ['address', 255],
    ['lot_id', 64],
  ] as const) {
    expect((await create(ano, { [name]: '😀'.repeat(most) }))[name]).toBe('😀'.repeat(most));
    for (const value of ['', 'x'.repeat(most + 1), '😀'.repeat(most + 1), 1, true, ['x'], { a: 1 }]) {
      expect(problemOf(await post(newNode({ [name]: value })))).toEqual(invalid(`#/${name}`));
    }
  }
});

describe.each(['technology', 'address_id', 'address', 'lot_id'])('the %s', (name) => {
  test.each(['=1+1', '=cmd|x', '+1', '-1', '@SUM(A1)'])(
    '%j, which the spreadsheet of another tenant would run, is rejected',
    async (text) => {
      const { node_id, relation_id } = await create(ano);
      expect(problemOf(await post(newNode({ [name]: text })))).toEqual(invalid(`#/${name}`));
      const patched = await ano.patch(`${NODES}${node_id}`).send({ [name]: text });
      expect(problemOf(patched)).toEqual(invalid(`#/${name}`));
      expect(patched.body.errors[0].detail).toContain('formula');
      const row = { token: 'planned', center: '1, 1', [name]: text };
      const imported = await importFile(ano, JSON.stringify(row), { format: 'ndjson', query: { relation_id, mode: 'lax' } });
      expect(imported.body).toMatchObject({ refused: 1, errors: [{ line: 1, column: name }] });
      expect(await list(ano, { relation_id })).toHaveLength(1);
      // The customer reference is in no table of another tenant.
      expect((await create(ano, { [name]: `ftth ${text}`, customer_reference: `${name}${text}` }))[name]).toBe(`ftth ${text}`);
      expect((await create(ano, { customer_reference: text })).customer_reference).toBe(text);
    },
  );
});

test('an address is one line that shows all of its characters', async () => {
  for (const address of ['Hauptstraße 12/3, 4020 Linz', "Stiege 2/Top 5 (Hof), Ö-1010 'Wien'", '1-3', '-'])
    expect((await create(ano, { address })).address).toBe(address);
  for (const address of ['Hauptstraße 12\n4020 Linz', 'Hauptstraße 12\t', ' Hauptstraße', 'Haupt\u00adstraße', 'Linz\u2028'])
    expect(problemOf(await post(newNode({ address })))).toEqual(invalid('#/address'));
});

test('a country is two ASCII letters', async () => {
  for (const country of ['A', 'AUT', '', 'ß', 'ﬁ', 'aı', 'ÄT', 'A1', 'A ', 43, ['AT']]) {
    expect([country, problemOf(await post(newNode({ country })))]).toEqual([country, invalid('#/country')]);
  }
});

test('a date is a day that exists, as YYYY-MM-DD', async () => {
  for (const available_from of [
    '2027-02-29',
    '2027-2-1',
    '01.02.2027',
    '20270201',
    '2027-02-01T00:00:00Z',
    '0000-01-01',
    '',
    20270201,
    ['2027-02-01'],
  ])
    expect([available_from, problemOf(await post(newNode({ available_from })))]).toEqual([available_from, invalid('#/available_from')]);
  for (const available_from of ['2028-02-29', '0001-01-01', '9999-12-31'])
    expect((await create(ano, { available_from })).available_from).toBe(available_from);
});

test('units are a whole number up to 10,000, and speeds a number up to 1,000,000 with at most three decimals', async () => {
  for (const [name, good, bad] of [
    ['units', [0, 1, 10_000], [-1, 10_001, 1.5, '1', '', true, [1]]],
    ['download_mbps', [0, 0.001, 999_999.999, 1_000_000], [-0.001, 1_000_000.001, 0.0001, 1e-9, 1.0001, '1', '', true, [1], {}]],
    ['upload_mbps', [0, 0.1, 250.5, 1_000_000], [-1, 1e7, 0.1234, '1', 'null', false, [1]]],
  ] as const) {
    for (const value of good) expect([value, (await create(ano, { [name]: value }))[name]]).toEqual([value, value]);
    for (const value of bad) expect([value, problemOf(await post(newNode({ [name]: value })))]).toEqual([value, invalid(`#/${name}`)]);
  }
});

test('a file says which row has a wrong date or number, and a table with semicolons may have decimal commas', async () => {
  const { relation_id } = await create(ano);
  const file = [
    'token;center;available_from;units;download_mbps',
    'planned;1, 1;2027-02-01;3;99,5',
    'planned;1, 1;1.2.2027;many;0,0001',
  ].join('\n');
  const { body } = await importFile(ano, file, { query: { relation_id, mode: 'lax' } });
  expect(body).toMatchObject({ created: 1, refused: 1 });
  expect((body.errors as { line: number; column: string }[]).map(({ line, column }) => [line, column])).toEqual([
    [3, 'available_from'],
    [3, 'units'],
    [3, 'download_mbps'],
  ]);
  expect((await list(ano, { relation_id })).at(-1)).toMatchObject({ available_from: '2027-02-01', units: 3, download_mbps: 99.5 });
});
