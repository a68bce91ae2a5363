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
    ['lot_id', 64],
  ] as const) {
    expect((await create(ano, { [name]: '😀'.repeat(most) }))[name]).toBe('😀'.repeat(most));
    for (const value of ['', 'x'.repeat(most + 1), '😀'.repeat(most + 1), 1, true, ['x'], { a: 1 }]) {
      expect(problemOf(await post(newNode({ [name]: value })))).toEqual(invalid(`#/${name}`));
    }
  }
});

test.each(['=1+1', '=cmd|x', '+1', '-1', '@SUM(A1)', '\tftth', '\rftth', '\nftth'])(
  'the technology %j, which the spreadsheet of another tenant would run, is rejected',
  async (technology) => {
    const { node_id, relation_id } = await create(ano);
    expect(problemOf(await post(newNode({ technology })))).toEqual(invalid('#/technology'));
    const patched = await ano.patch(`${NODES}${node_id}`).send({ technology });
    expect(problemOf(patched)).toEqual(invalid('#/technology'));
    expect(patched.body.errors[0].detail).toContain('formula');
    const row = { token: 'planned', center: '1, 1', technology };
    const imported = await importFile(ano, JSON.stringify(row), { format: 'ndjson', query: { relation_id, mode: 'lax' } });
    expect(imported.body).toMatchObject({ refused: 1, errors: [{ line: 1, column: 'technology' }] });
    expect(await list(ano, { relation_id })).toHaveLength(1);
    // Identifiers in registers begin with anything, and no table shows them to other tenants.
    expect((await create(ano, { technology: `ftth ${technology}`, address_id: technology, lot_id: technology })).lot_id).toBe(technology);
  },
);

test('a country is two ASCII letters', async () => {
  for (const country of ['A', 'AUT', '', 'ß', 'ﬁ', 'aı', 'ÄT', 'A1', 'A ', 43, ['AT']]) {
    expect([country, problemOf(await post(newNode({ country })))]).toEqual([country, invalid('#/country')]);
  }
});
