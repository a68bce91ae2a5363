import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, invalid, list, newNode, NODES, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { counts, done, type FileFormat, IMPORT, importFile, type Sending, TYPES } from './imports.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { SERVICE_AREA: '46,9,49.5,18' });
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

const send = (file: string | Buffer, sending: Sending = {}) => importFile(ano, file, sending);
const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join('');
const stored = async (target = 'nodes') =>
  (await list(ano, { relation_id, target })).map(
    ({
      node_id: _id,
      created_at: _at,
      created_by: _by,
      modified_at: _modified,
      modified_by: _last,
      tenant: _tenant,
      relation_id: _relation,
      ...fields
    }) => fields,
  );
const errors = (answer: { body: unknown }): unknown => (answer.body as { errors: unknown }).errors;

test('a table with every field is imported like single creations, including commas in values', async () => {
  const answer = await send(
    lines(
      'relation_id,token,center,status,technology,country,address_id,lot_id,customer_reference',
      `${relation_id.toUpperCase()},planned,"48.2085550, 16.372966",started,ftth,at,5=1+1,"a ""b"", c",🏠 Straße`,
      `${relation_id},operation,"48.1, 16.2",,,,,,`,
    ),
    { query: { target: 'prenodes' } },
  );
  expect(counts(answer)).toEqual(done({ rows: 2, created: 2 }));
  expect(errors(answer)).toEqual([]);
  expect(await stored('prenodes')).toEqual([
    {
      collection: 'prenodes',
      token: 'planned',
      center: '48.208555, 16.372966',
      status: 'started',
      technology: 'ftth',
      country: 'AT',
      address_id: '5=1+1',
      lot_id: 'a "b", c',
      customer_reference: '🏠 Straße',
    },
    { collection: 'prenodes', token: 'operation', center: '48.1, 16.2', status: 'active' },
  ]);
});

test.each<[string, string, Sending]>([
  [
    'semicolons, a byte order mark, CRLF and decimal commas, as saved by Excel',
    '\ufefftoken;latitude;longitude;lot_id\r\nplanned;48,2;16,5;"a;b"\r\n;;;\r\n',
    {},
  ],
  ['quoted names with a semicolon', '"token","latitude","longitude","lot_id"\n"planned","48.2","16.5","a;b"\n', {}],
  ['tabs', 'token\tlatitude\tlongitude\tlot_id\nplanned\t48.2\t16.5\ta;b', { format: 'tsv' }],
  ['carriage returns', 'token,center,lot_id\rplanned,"48.2,16.5",a;b\r', {}],
  ['a blank line', '\ntoken,latitude,longitude,lot_id\n'.slice(1) + '\nplanned,48.2,16.5,a;b\n\n', {}],
  ['lines of JSON', '{"token":"planned","center":"48.2, 16.5","lot_id":"a;b","status":null}\r\n\n', { format: 'ndjson' }],
  ['JSON numbers', '{"token":"planned","latitude":48.2,"longitude":16.5,"lot_id":"a;b"}', { format: 'ndjson' }],
  [
    'ogr2ogr output for a table',
    `{"type":"FeatureCollection","name":"nodes","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[
     {"type":"Feature","properties":{"token":"planned","latitude":"48.2","longitude":"16.5","lot_id":"a;b","country":"","technology":null},"geometry":{"type":"Point","coordinates":[16.5,48.199999999999996]}}]}`.replace(
      '48.199999999999996',
      '48.2',
    ),
    { format: 'geojson' },
  ],
])('typical files: %s', async (_title, file, sending) => {
  for (const gzip of [false, true]) {
    relation_id = randomUUID();
    expect(counts(await send(file, { ...sending, gzip, query: { relation_id } }))).toEqual(done({ rows: 1, created: 1 }));
    expect(await stored()).toEqual([{ collection: 'nodes', token: 'planned', center: '48.2, 16.5', status: 'active', lot_id: 'a;b' }]);
  }
});

test('a row with the reference of a node replaces the fields of that node, and changes nothing the second time', async () => {
  const before = await create(ano, { relation_id, customer_reference: 'a', technology: 'ftth', status: 'suspended', center: '48.1, 16.1' });
  const file = lines('token,latitude,longitude,customer_reference', 'operation,48.2,16.2,a', 'planned,48.3,16.3,b');
  expect(counts(await send(file, { query: { relation_id } }))).toEqual(done({ rows: 2, created: 1, updated: 1 }));
  const [after] = await list(ano, { relation_id });
  expect(after).toEqual({
    node_id: before.node_id,
    created_at: before.created_at,
    created_by: 'client',
    modified_by: 'client',
    relation_id,
    tenant: 'ano.test',
    collection: 'nodes',
    customer_reference: 'a',
    token: 'operation',
    center: '48.2, 16.2',
    status: 'active',
    modified_at: after!.modified_at,
  });
  expect((await ano.get(`${NODES}${before.node_id}`)).headers['etag']).toBe('"2"');
  const nodes = await list(ano, { relation_id });
  expect(counts(await send(file, { query: { relation_id } }))).toEqual(done({ rows: 2, unchanged: 2 }));
  expect(await list(ano, { relation_id })).toEqual(nodes);
  // The other collection is independent.
  expect(counts(await send(file, { query: { relation_id, target: 'prenodes' } }))).toEqual(done({ rows: 2, created: 2 }));
});

const FAULTY = lines(
  'token,latitude,longitude,lot_id,customer_reference',
  'planned,48.2,16.2,"a ""b""",a',
  '',
  'planed,16.2,48.2,,',
  'planned,48.2',
  'planned,48.2,16.2,,a',
  'planned,,16.2,,b',
  'planned,48.2,16.2,,c',
);
const FAULTS = [
  { line: 2, column: 'customer_reference', detail: 'is repeated in line 6' },
  { line: 4, column: 'token', detail: 'must be one of planned, construction, operation' },
  { line: 5, detail: 'has 2 cells, but the header has 5' },
  { line: 6, column: 'customer_reference', detail: 'is already used in line 2' },
  { line: 7, column: 'latitude', detail: 'is required' },
];

test('a strict import stores all rows or none, and reports every faulty row with its line', async () => {
  const answer = await send(FAULTY, { query: { relation_id } });
  expect(problemOf(answer)).toMatchObject({ status: 422, code: 'import-refused' });
  expect(answer.body).toMatchObject({ rows: 6, created: 1, updated: 0, unchanged: 0, refused: 5, errors: FAULTS });
  expect(await stored()).toEqual([]);
});

test('a lax import stores the good rows; a dry run of either kind stores nothing and reports the same', async () => {
  const dry = await send(FAULTY, { query: { relation_id, mode: 'lax', dry_run: 'true' } });
  expect(await stored()).toEqual([]);
  const answer = await send(FAULTY, { query: { relation_id, mode: 'lax' } });
  expect(counts(answer)).toEqual(done({ rows: 6, created: 1, refused: 5 }));
  expect(errors(answer)).toEqual(FAULTS);
  expect(dry.body).toEqual(answer.body);
  expect((await stored()).map(({ customer_reference }) => customer_reference)).toEqual(['c']);
  expect((await send(FAULTY, { query: { relation_id, dry_run: 'true' } })).status).toBe(422);
});

test('the error for a row outside the service area asks whether latitude and longitude are swapped', async () => {
  const answer = await send(lines('token,latitude,longitude', 'planned,16.4,48.2'), { query: { relation_id } });
  expect(errors(answer)).toEqual([
    {
      line: 2,
      column: 'latitude',
      detail: expect.stringMatching(/^is outside the service area .*\. Are latitude and longitude swapped\? The latitude comes first\.$/),
    },
  ]);
});

test('a row that contradicts the request is rejected', async () => {
  const file = lines(
    'relation_id,token,center',
    `${randomUUID()},planned,"48.2, 16.2"`,
    `${relation_id.toUpperCase()},operation,"48.2, 16.2"`,
    ',,"48.2, 16.2"',
  );
  const answer = await send(file, { query: { relation_id, token: 'planned' } });
  expect(errors(answer)).toEqual([
    { line: 2, column: 'relation_id', detail: `differs from the relation_id of the request, which is ${relation_id}` },
    { line: 3, column: 'token', detail: 'differs from the token of the request, which is planned' },
  ]);
});

test.each([
  [
    'unknown, missing and repeated columns at once',
    'Token,foo,lot_id,lot_id\n',
    ['Token', 'foo', 'lot_id', 'relation_id', 'token', 'center'],
  ],
  ['two kinds of coordinates', 'relation_id,token,center,latitude,longitude\n', ['center']],
  ['half a place', 'relation_id,token,latitude\n', ['longitude']],
])('a header is rejected for %s', async (_title, header, columns) => {
  const answer = await send(header);
  expect(problemOf(answer)).toMatchObject({ status: 422, code: 'import-refused' });
  expect((errors(answer) as { line: number; column: string }[]).map(({ line, column }) => [line, column])).toEqual(
    columns.map((column) => [1, column]),
  );
});

test('a file with only a header creates no nodes', async () => {
  expect(counts(await send('relation_id,token,center\r\n'))).toEqual(done({}));
  expect(counts(await send('{"type":"FeatureCollection","features":[]}', { format: 'geojson' }))).toEqual(done({}));
});

test('the first 1,000 faults are listed, and all faults are counted', async () => {
  const answer = await send(lines('token,latitude,longitude', ...Array.from({ length: 1_500 }, () => 'planned,x,16')), {
    query: { relation_id, mode: 'lax' },
  });
  expect(counts(answer)).toEqual(done({ rows: 1_500, refused: 1_500 }));
  expect(errors(answer)).toHaveLength(1_000);
});

test('faults in JSON rows name the line or feature, and the column', async () => {
  const row = `"token":"planned","center":"48.2, 16.2"`;
  // An empty line is no row, but a line.
  const ndjson = lines(`{${row},"foo":1}`, '', '[]', `{${row},`, `{${row},"lot_id":7}`, `{${row},"lot_id":"a","lot_id":"b"}`, '');
  const answer = await send(ndjson, { format: 'ndjson', query: { relation_id } });
  expect(errors(answer)).toMatchObject([
    { line: 1, column: 'foo', detail: expect.stringContaining('is not a column of an import') },
    { line: 3, detail: 'must be a JSON object' },
    { line: 4, detail: expect.stringContaining('is not valid JSON') },
    { line: 5, column: 'lot_id', detail: 'must be a string' },
    { line: 6, detail: expect.stringContaining('two members called') },
  ]);
  const feature = (geometry: unknown, properties: unknown = { token: 'planned' }) => ({ type: 'Feature', geometry, properties });
  const point = { type: 'Point', coordinates: [16.2, 48.2, 170] };
  const features = [
    feature(point),
    feature({ type: 'MultiPoint', coordinates: [[16.2, 48.2]] }),
    feature(null),
    feature(point, { token: 'planned', latitude: '47' }),
    feature({ type: 'Point', coordinates: [16.2] }),
    point,
    feature(point, { token: 'planned', foo: 1 }),
  ];
  const refused = await send(JSON.stringify({ features, type: 'FeatureCollection' }), {
    format: 'geojson',
    query: { relation_id, mode: 'lax' },
  });
  expect(counts(refused)).toEqual(done({ rows: 7, created: 1, refused: 6 }));
  expect(errors(refused)).toMatchObject([
    { feature: 2, column: 'geometry', detail: 'must be a Point' },
    { feature: 3, column: 'geometry' },
    { feature: 4, column: 'latitude', detail: 'contradicts the geometry' },
    { feature: 5, column: 'geometry' },
    { feature: 6, detail: 'must be a Feature' },
    { feature: 7, column: 'foo' },
  ]);
});

test('the request is checked before its body', async () => {
  expect(
    problemOf(await send('token', { query: { target: 'x', mode: 'y', dry_run: 'z', foo: '1', relation_id: '2', token: '3' } })),
  ).toEqual(invalid('target', 'mode', 'dry_run', 'foo', 'relation_id', 'token'));
  expect(problemOf(await send('token', { key: 'k'.repeat(256) }))).toEqual(invalid('idempotency-key'));
  const as = (type: string, more: Record<string, string> = {}) =>
    ano
      .post(IMPORT)
      .set({ 'content-type': type, ...more })
      .serialize((body) => body as string)
      .send('token');
  const answer = await as('application/json');
  expect(problemOf(answer)).toEqual(refusal(415, 'unsupported-media-type'));
  for (const type of Object.values(TYPES)) expect(answer.body.hint).toContain(type);
  expect(problemOf(await as('text/csv; charset=windows-1252'))).toEqual(refusal(415, 'unsupported-media-type'));
  expect(problemOf(await as('text/csv', { 'content-encoding': 'br' }))).toEqual(refusal(415, 'unsupported-media-type'));
  expect(problemOf(await ano.post(IMPORT))).toEqual(refusal(400, 'malformed-request'));
});

test('repeating a key with its file returns the first response and changes nothing; another file or parameter is rejected', async () => {
  const file = lines('token,latitude,longitude', 'planned,48.2,16.2');
  const sending = { key: `key ${randomUUID()}`, query: { relation_id } };
  // A dry run stores nothing, not even its response.
  expect((await send(file, { ...sending, query: { ...sending.query, dry_run: 'true' } })).status).toBe(200);
  const first = await send(file, sending);
  expect(counts(first)).toEqual(done({ rows: 1, created: 1 }));
  const again = await send(file, sending);
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect((await send(file, { ...sending, gzip: true })).body).toEqual(first.body);
  expect(await stored()).toHaveLength(1);
  for (const other of [send(`${file}planned,48.2,16.3\n`, sending), send(file, { ...sending, query: { relation_id, token: 'planned' } })])
    expect(problemOf(await other)).toEqual(refusal(422, 'idempotency-key-taken'));
  // Another tenant has separate keys.
  const other = await importFile(await operator(service, 'ano.other'), `${file}planned,48.2,16.3\n`, sending);
  expect(counts(other)).toEqual(done({ rows: 2, created: 2 }));
});

test('an import with a key may name the relation in its rows', async () => {
  const sending = { key: randomUUID() };
  const file = lines('relation_id,token,latitude,longitude', `${relation_id},planned,48.2,16.4`);
  for (let n = 0; n < 2; n++) expect(counts(await send(file, sending))).toEqual(done({ rows: 1, created: 1 }));
});

test('a rejected import does not use up its key: the corrected file is imported with it', async () => {
  const sending = { key: `key ${randomUUID()}`, query: { relation_id } };
  for (let n = 0; n < 2; n++) expect((await send(FAULTY, sending)).body).toMatchObject({ code: 'import-refused', errors: FAULTS });
  expect((await send('token,nothing\n', sending)).body).toMatchObject({ code: 'import-refused' });
  const corrected = lines('token,latitude,longitude', 'planned,48.2,16.2');
  expect(counts(await send(corrected, sending))).toEqual(done({ rows: 1, created: 1 }));
  expect(counts(await send(corrected, sending))).toEqual(done({ rows: 1, created: 1 }));
  expect(await stored()).toHaveLength(1);
});

test('a rejected strict import says what it would have done', async () => {
  const before = await create(ano, { relation_id, customer_reference: 'a', lot_id: 'old', center: '48.2, 16.2' });
  await create(ano, { relation_id, customer_reference: 'b', center: '48.3, 16.3' });
  const file = lines(
    'token,latitude,longitude,customer_reference',
    `operation,48.2,16.2,a`,
    `${before.token},48.3,16.3,b`,
    'planned,48.4,16.4,c',
    'planed,48.5,16.5,d',
  );
  const nodes = await stored();
  const answer = await send(file, { query: { relation_id } });
  expect(answer.body).toMatchObject({ code: 'import-refused', rows: 4, created: 1, updated: 1, unchanged: 1, refused: 1 });
  expect(answer.body).not.toHaveProperty('stopped');
  expect(await stored()).toEqual(nodes);
});

/** Files that go on after 10,000 faulty rows. Each format has a reader of its own, but they all stop at the same place. */
const TOO_FAULTY: [string, string, FileFormat][] = [
  ['CSV', lines('token,latitude,longitude', 'planned,48.2,16.2', ...Array.from({ length: 10_500 }, () => 'planned')), 'csv'],
  ['CSV in quotes', lines('"token",latitude,longitude', 'planned,48.2,16.2', ...Array.from({ length: 10_500 }, () => '""')), 'csv'],
  ['NDJSON', lines('{"token":"planned","center":"48.2,16.2"}', ...Array.from({ length: 10_500 }, () => '{}')), 'ndjson'],
];
test.each(volume(TOO_FAULTY.slice(0, 1), TOO_FAULTY))('an import stops after 10,000 faulty rows: %s', async (_title, file, format) => {
  const faulty = { rows: 10_001, created: 1, refused: 10_000 };
  // What a strict import does with the rows that it has read does not depend on their format.
  if (format === 'csv') {
    const strict = await send(file, { format, query: { relation_id } });
    expect(strict.body).toMatchObject({ code: 'import-refused', stopped: true, ...faulty });
    expect(await stored()).toEqual([]);
  }
  const sending = { format, key: `key ${randomUUID()}`, query: { relation_id, mode: 'lax' } };
  const lax = await send(file, sending);
  expect(counts(lax)).toEqual(done(faulty));
  expect(lax.body).toMatchObject({ stopped: true });
  // The key applies to the whole file, although not all of its rows were read.
  expect((await send(file, sending)).body).toEqual(lax.body);
  expect(problemOf(await send(`${file}\n`, sending))).toEqual(refusal(422, 'idempotency-key-taken'));
  expect(await stored()).toHaveLength(1);
});

test('latitude and longitude are rounded to ten decimals in every format; center is not', async () => {
  const [latitude, longitude] = ['48.123456789049', '16.200000000000003'];
  const stands = { collection: 'nodes', token: 'planned', center: '48.123456789, 16.2', status: 'active' };
  const files: [string, FileFormat][] = [
    [lines('token,latitude,longitude', `planned,${latitude},${longitude}`), 'csv'],
    [`{"token":"planned","latitude":${latitude},"longitude":${longitude}}`, 'ndjson'],
    [
      `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":{"token":"planned","longitude":"${longitude}"}}]}`,
      'geojson',
    ],
  ];
  for (const [file, format] of files) {
    relation_id = randomUUID();
    expect(counts(await send(file, { format, query: { relation_id } }))).toEqual(done({ rows: 1, created: 1 }));
    expect(await stored()).toEqual([stands]);
  }
  const refused = await send(lines('token,center', `planned,"${latitude}, 16"`), { query: { relation_id } });
  expect(errors(refused)).toEqual([{ line: 2, column: 'center', detail: 'has more than 10 decimals' }]);
});

test.each<[string, string, object]>([
  ['no features', '{"type":"FeatureCollection"}', { column: 'features' }],
  ['misspelt features', '{"type":"FeatureCollection","feature":[]}', { column: 'features' }],
  ['features that are not an array', '{"type":"FeatureCollection","features":{}}', { column: 'features' }],
  ['features twice', '{"type":"FeatureCollection","features":[],"features":[FEATURE]}', { detail: expect.stringContaining('"features"') }],
  ['a repeated type', '{"type":"x","features":[],"type":"FeatureCollection"}', { detail: expect.stringContaining('"type"') }],
  [
    'a repeated member of a feature',
    '{"type":"FeatureCollection","features":[{"type":"Feature","type":"Feature"}]}',
    { feature: 1, detail: expect.stringContaining('"type"') },
  ],
  [
    'a repeated property',
    '{"type":"FeatureCollection","features":[FEATURE,{"type":"Feature","geometry":null,"properties":{"token":"planned","token":"planned"}}]}',
    { feature: 2, detail: expect.stringContaining('"token"') },
  ],
  [
    'a latitude in hexadecimal',
    '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[16,48]},"properties":{"token":"planned","latitude":"0x30"}}]}',
    { feature: 1, column: 'latitude', detail: 'contradicts the geometry' },
  ],
])('a GeoJSON file is rejected for %s', async (_title, file, fault) => {
  const feature = '{"type":"Feature","geometry":{"type":"Point","coordinates":[16,48]},"properties":{"token":"planned"}}';
  const answer = await send(file.replace('FEATURE', feature), { format: 'geojson', query: { relation_id } });
  expect(problemOf(answer)).toMatchObject({ status: 422, code: 'import-refused' });
  expect(errors(answer)).toMatchObject([fault]);
  expect(await stored()).toEqual([]);
});

test('only one of two concurrent imports with the same key is carried out', async () => {
  const file = lines('token,latitude,longitude', ...Array.from({ length: 200 }, () => 'planned,48.2,16.2'));
  const key = `key ${randomUUID()}`;
  const answers = await Promise.all(Array.from({ length: 2 }, () => send(file, { key, query: { relation_id } })));
  expect(answers.map(counts)).toEqual(answers.map(() => done({ rows: 200, created: 200 })));
  expect(await stored()).toHaveLength(200);
});

test('a node of another tenant with the same reference is not touched', async () => {
  const other = await create(await operator(service, 'ano.other'), newNode({ relation_id, customer_reference: 'a' }));
  expect(
    counts(await send(lines('token,latitude,longitude,customer_reference', 'operation,48.2,16.2,a'), { query: { relation_id } })),
  ).toEqual(done({ rows: 1, created: 1 }));
  expect((await (await operator(service, 'ano.other')).get(`${NODES}${other.node_id}`)).body).toEqual(other);
});
