import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@fibre/embedded-postgres';
import { startTestService, type TestService, until } from '@fibre/testing';
import austrianPlaces from '@fibre/testing/places-in-austria.json' with { type: 'json' };
import { volume } from '@fibre/testing/volume';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, operator, problemOf, refusal, SEARCH } from '../access-nodes/access-nodes.js';
import { FILE_FORMATS, type FileFormat, searchFile, TYPES } from '../node-import/imports.js';
import { sql } from '../database/sql.js';

const MAX_ROWS = volume(1_000, 20_000);
/** Rows, and the characters in each, whose response is longer than what the connection holds. */
const [UNREAD_ROWS, UNREAD_CHARACTERS] = volume([600, 20_000], [10_000, 500]);
const REAL_PLACES = volume(300, 2_266);
const RESULT_COLUMNS =
  'rank,node_id,distance,quality,relation_id,tenant,token,technology,status,available_from,download_mbps,upload_mbps,address,units_connected,offer,error';
const NO_RESULT = ','.repeat(15);

let service: TestService;
let isp: Client;

beforeAll(async () => {
  service = await startTestService(coverageService, { SEARCH_MAX_ROWS: String(MAX_ROWS), SLOW_READER_SECONDS: '2' });
  isp = await service.as({ tenant: 'isp.test', scope: 'coverage:search' });
  // A dense area, many nodes at one point, a line across the date line, the pole, and nodes far from each other.
  await sql(
    service.databaseUrl,
    `insert into access_node (node_id, tenant, relation_id, collection, token, latitude, longitude, status, technology)
     select gen_random_uuid(), 'ano.test', gen_random_uuid(), 'nodes', (array['planned', 'operation'])[1 + n % 2], latitude, longitude, 'active',
       case when n % 3 > 0 then 'ftth' end
     from (
       select n, 48 + (n / 60) * 1e-4 as latitude, 16 + (n % 60) * 1e-4 as longitude from generate_series(0, 3599) n
       union all select n, 47, 15 from generate_series(1, 50) n
       union all select n, 10, case when n < 20 then 179.9999 + n * 5e-6 else -180 + (n - 20) * 5e-6 end from generate_series(1, 40) n
       union all select n, 89.9999, n * 9 - 180 from generate_series(0, 39) n
       union all select n, 30 + n, n from generate_series(1, 20) n
     ) p`,
  );
});
afterAll(() => service.close());

interface Found {
  readonly node_id: string;
  readonly distance: number;
  readonly quality: string;
}
const rowsOf = (text: string, delimiter = ','): Record<string, string>[] => parse(text, { columns: true, delimiter });
const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line !== '');
async function search(file: string | Buffer, format: FileFormat = 'csv', query: Record<string, string> = {}): Promise<string> {
  const answer = await searchFile(isp, file, { format, query });
  expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
  return answer.body as string;
}

const place = fc.oneof(
  fc.record({
    latitude: fc.double({ min: 47.999, max: 48.007, noNaN: true }),
    longitude: fc.double({ min: 15.999, max: 16.007, noNaN: true }),
  }),
  fc.record({ latitude: fc.constantFrom(47, 47.0001), longitude: fc.constant(15) }),
  fc.record({ latitude: fc.constant(10), longitude: fc.constantFrom(180, -180, 179.99995, -179.99995) }),
  fc.record({ latitude: fc.constantFrom(90, 89.99985), longitude: fc.constantFrom(0, 77) }),
  fc.record({ latitude: fc.double({ min: -90, max: 90, noNaN: true }), longitude: fc.double({ min: -180, max: 180, noNaN: true }) }),
);
const ten = (degrees: number): string => degrees.toFixed(10);

test('rows keep their order, and each has the same results as a single search, to the last digit', async () => {
  const places = fc.sample(place, { numRuns: volume(40, 120), seed: 25 });
  const queries: Record<string, string>[] = [
    { limit: '10' },
    { limit: '3', search_radius: '100000' },
    { search_radius: '100000', technology: 'FTTH', token: 'operation' },
    { limit: '10', search_radius: '5000', status: 'active' },
    { search_radius: '0' },
  ];
  const file = places.map(({ latitude, longitude }) => `{"center":"${ten(latitude)},${ten(longitude)}"}\n`).join('');
  for (const query of queries) {
    const rows = linesOf(await search(file, 'ndjson', query)).map((line) => JSON.parse(line) as { results: unknown });
    const single: unknown[] = [];
    for (const { latitude, longitude } of places) {
      const answer = await isp.get(SEARCH).query({ limit: '1', ...query, center: `${ten(latitude)},${ten(longitude)}` });
      single.push(answer.body);
    }
    expect(rows.map(({ results }) => results)).toEqual(single);
  }
});

test('a table keeps its cells, separator and order; the result columns follow its own columns', async () => {
  const [result] = (await isp.get(SEARCH).query({ center: '47,15', limit: '1' })).body as [Found & Record<string, string>];
  const cells = `1,${result.node_id},0,A,${result.relation_id},ano.test,${result.token},${result.technology ?? ''},active,,,,,,${result['offer']},`;
  expect(await search('latitude,longitude\n47,15\n1,1\n')).toBe(
    `latitude,longitude,${RESULT_COLUMNS}\r\n47,15,${cells}\r\n1,1,${NO_RESULT}\r\n`,
  );
  expect(await search('name;latitude;longitude\r\n"a;b";47,0;15,0\r\n', 'csv')).toBe(
    `name;latitude;longitude;${RESULT_COLUMNS.replaceAll(',', ';')}\r\n"a;b";47,0;15,0;${cells.replaceAll(',', ';')}\r\n`,
  );
  // A table of tabs becomes one of commas, whose decimals are commas too where they were.
  expect(await search('latitude\tlongitude\n47,0\t15\n', 'tsv', { format: 'csv' })).toBe(
    `latitude,longitude,${RESULT_COLUMNS}\r\n"47,0",15,${cells}\r\n`,
  );
  const many = rowsOf(await search('latitude\tlongitude\n48.001\t16.001\n1\t1\n', 'tsv', { limit: '10' }), '\t');
  expect(many.map(({ rank }) => rank)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '']);
});

test('the columns of a file are unchanged, whatever their names and values', async () => {
  const cell = fc.oneof(
    fc.constantFrom('', ' ', '"', ',', ';', '\n', '\r\n', '=1+1', '007', '1,5', 'ß', '🏠'),
    fc.string({ unit: 'grapheme' }),
  );
  const file = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(file, async (rows) => {
      const names = ['status', 'center', '', 'error', 'found_error', ''];
      const sent = [names, ...rows.map((row) => [row[0]!, '47, 15', ...row.slice(1), 'x'])];
      const quoted = sent.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')).join('\n');
      const received: string[][] = parse(await search(quoted));
      expect(received.map((row) => row.slice(0, names.length))).toEqual(sent);
      expect(received[0]!.slice(names.length)).toEqual(
        RESULT_COLUMNS.replace('status', 'found_status').replace('error', 'found_found_error').split(','),
      );
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['a semicolon in a quoted name', 'id,"a;b",latitude,longitude\n1,x,47.0,15.0\n', ','],
  ['a semicolon in a name', 'id,Address (street; no),latitude,longitude\n1,x,47.0,15.0\n', ','],
  ['a line break in the first name', '"a\nb";latitude;longitude\nx;47,0;15,0\n', ';'],
  ['a comma in a name', 'Address (street, no);latitude;longitude\nx;47,0;15,0\n', ';'],
])('a header with %s: the separator is found outside quotes', async (_title, file, separator) => {
  const [, row] = rowsOf(await search(file + file.slice(file.lastIndexOf('\n', file.length - 2) + 1)), separator);
  expect(row).toMatchObject({ distance: '0', error: '' });
});

test('the byte order mark of a table is returned, because Excel needs it', async () => {
  const file = '\ufeffname;latitude;longitude\nMüller;47,0;15,0\n';
  expect(await search(file)).toMatch(/^\ufeffname;latitude;longitude;rank[^]*\nMüller;/);
  expect(await search(file, 'csv', { format: 'tsv' })).toMatch(/^\ufeffname\tlatitude/);
  expect(await search(file, 'csv', { format: 'ndjson' })).toMatch(/^\{"input":\{"name":"Müller"/);
  expect(await search(file.slice(1))).toMatch(/^name;/);
});

test('cells beyond the header are in the error of their row', async () => {
  const file = 'latitude,longitude\n47,15,"a, ""b""",c\n47,15,\n';
  const found = ['has 4 cells, but the header has 2; the cells beyond it are ["a, \\"b\\"","c"]', 'has 3 cells, but the header has 2'];
  expect(rowsOf(await search(file)).map(({ error }) => error)).toEqual(found);
  expect(linesOf(await search(file, 'csv', { format: 'ndjson' })).map((line) => (JSON.parse(line) as { error: string }).error)).toEqual(
    found,
  );
});

test('lines of JSON and features are returned whole', async () => {
  const row = '{ "center": "47, 15", "id": 12345678901234567890, "nested": {"a": [1.50, null]}, "node_id": "own" }';
  const [line] = linesOf(await search(`${row}\n`, 'ndjson'));
  expect(line).toMatch(/^\{"input":\{ "center".*"results":\[\{"node_id":/);
  expect(line).toContain(row);

  const feature = {
    type: 'Feature',
    id: 7,
    geometry: { type: 'Point', coordinates: [15, 47, 300] },
    properties: { center: 'in the middle', status: null, list: [1] },
    more: true,
  };
  const collection = JSON.stringify({ type: 'FeatureCollection', features: [feature] }, undefined, 2);
  const { features } = JSON.parse(await search(collection, 'geojson')) as { features: [typeof feature] };
  expect(features).toEqual([
    { ...feature, properties: expect.objectContaining({ ...feature.properties, rank: 1, distance: 0, found_status: 'active' }) as object },
  ]);
  const [input] = linesOf(await search(collection, 'geojson', { format: 'ndjson' })).map((text) => JSON.parse(text) as { input: object });
  expect(input).toMatchObject({ input: feature, results: [{ distance: 0 }] });
});

test('a table becomes lines of JSON or features', async () => {
  const file = 'name,latitude,longitude\n"a ""b""",47,15\n,x,15\nshort\n';
  expect(linesOf(await search(file, 'csv', { format: 'ndjson' })).map((line) => JSON.parse(line) as object)).toMatchObject([
    { input: { name: 'a "b"', latitude: '47', longitude: '15' }, results: [{ distance: 0 }] },
    { input: { name: '', latitude: 'x', longitude: '15' }, error: 'latitude must be decimal degrees, such as 48.208555' },
    { input: { name: 'short', latitude: '', longitude: '' }, error: 'has 1 cell, but the header has 3' },
  ]);
  const { features } = JSON.parse(await search(file, 'csv', { format: 'geojson' })) as { features: object[] };
  expect(features).toMatchObject([
    { type: 'Feature', geometry: { type: 'Point', coordinates: [15, 47] }, properties: { name: 'a "b"', rank: 1 } },
    { type: 'Feature', geometry: null, properties: { name: '', error: expect.stringContaining('decimal degrees') as string } },
    { type: 'Feature', geometry: null, properties: { name: 'short', latitude: '', longitude: '' } },
  ]);
  for (const format of ['ndjson', 'geojson'] as const) {
    const refused = await searchFile(isp, '{}', { format, query: { format: 'csv' } });
    expect(JSON.parse(refused.body as string)).toMatchObject({ status: 422, code: 'invalid-request', errors: [{ parameter: 'format' }] });
  }
});

test('a faulty row has an error, and the other rows have their results', async () => {
  const rows = rowsOf(await search('latitude,longitude,n\n47,15,1\n147,15,2\n,15,3\n47,15\n47,15,5,6\nx,15,7\n47,15,8\n'));
  expect(rows.map(({ n, node_id, error }) => [n, node_id === '' ? error : 'found'])).toEqual([
    ['1', 'found'],
    ['2', 'latitude must be between -90 and 90; are latitude and longitude swapped?'],
    ['3', 'latitude is required'],
    ['', 'has 2 cells, but the header has 3'],
    ['5', 'has 4 cells, but the header has 3; the cells beyond it are ["6"]'],
    ['7', 'latitude must be decimal degrees, such as 48.208555'],
    ['8', 'found'],
  ]);
  const lines =
    '{"center":"47,15"}\n{"a":1,"a":2}\nnonsense\n{"center":"47;15"}\n{"center":"47,15","latitude":47,"longitude":15}\n[]\n{}\n';
  expect(linesOf(await search(lines, 'ndjson')).map((line) => JSON.parse(line) as object)).toEqual([
    { input: { center: '47,15' }, results: [expect.anything()] },
    { input: '{"a":1,"a":2}', error: expect.stringContaining('two members') as string },
    { input: 'nonsense', error: expect.stringContaining('is not valid JSON') as string },
    { input: { center: '47;15' }, error: expect.stringMatching(/^center must be/) as string },
    { input: expect.anything() as object, error: expect.stringContaining('cannot be combined') as string },
    { input: [], error: 'must be a JSON object' },
    { input: {}, error: 'has no place; center, or latitude and longitude, is required' },
  ]);
});

test.each<[string, string | Buffer, FileFormat, number, string]>([
  ['nothing', '', 'csv', 400, 'malformed-request'],
  ['no place', 'street,town\na,b\n', 'csv', 422, 'file-refused'],
  ['two places', 'center,latitude,longitude\n"1,2",1,2\n', 'csv', 422, 'file-refused'],
  ['a repeated place column', 'latitude,longitude,latitude\n1,2,3\n', 'csv', 422, 'file-refused'],
  ['Windows-1252', Buffer.from('latitude,longitude,town\n47,15,Köln\n', 'latin1'), 'csv', 400, 'malformed-request'],
  ['half a collection', '{"type":"FeatureCollection","features":[{"type":"Feature"},', 'geojson', 400, 'malformed-request'],
])('a file with %s is rejected', async (_title, file, format, status, code) => {
  const answer = await searchFile(isp, file, { format });
  const body = JSON.parse(answer.body as string) as object;
  expect(problemOf({ ...answer, headers: answer.headers, body: { ...body, errors: [] } } as never)).toEqual(refusal(status, code));
});

test('a header of thousands of repeated columns gets a readable response', async () => {
  const names = Array.from({ length: 9_000 }, (_, index) => `c${index % 4_500}`);
  const answer = await searchFile(isp, `${names.join(',')}\n`, { query: { format: 'ndjson' } });
  const { code, errors } = JSON.parse(answer.body as string) as { code: string; errors: object[] };
  expect([answer.status, code, errors.length]).toEqual([422, 'file-refused', 1_000]);
  expect((answer.body as string).length).toBeLessThan(100_000);
});

test('a table without rows is returned with its header', async () => {
  expect(await search('latitude,longitude\n')).toBe(`latitude,longitude,${RESULT_COLUMNS}\r\n`);
});

test('gzip is accepted, and the parameters are those of the search', async () => {
  const answer = await searchFile(isp, 'center\n"47,15"\n', { gzip: true, query: { format: 'ndjson' } });
  expect(answer.body).toMatch(/^\{"input":\{"center":"47,15"\},"results":\[/);
  const refused = await searchFile(isp, 'center\n', { query: { limit: '11', search_radius: 'x', center: '1,2', format: 'xml' } });
  expect(JSON.parse(refused.body as string)).toMatchObject({ status: 422, code: 'invalid-request' });
  const ano = await service.as({ tenant: 'ano.test', scope: 'coverage:read coverage:write' });
  expect((await searchFile(ano, 'center\n')).status).toBe(403);
  // A client without a tenant may search.
  expect((await searchFile(await service.as({ scope: 'coverage:search', tenant: undefined }), 'center\n')).status).toBe(200);
});

/** Begins a request whose body comes in chunks. */
async function begin(
  format: FileFormat,
  query = '',
  tenant = 'isp.test',
): Promise<{ socket: Socket; send: (text: string) => void; end: () => void }> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
  const token = await service.issuer.token({ scope: 'coverage:search', tenant });
  socket.write(
    `POST ${SEARCH}?${query} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${token}\r\ncontent-type: ${TYPES[format]}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`,
  );
  const send = (text: string): void => void socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  return { socket, send, end: () => void socket.write('0\r\n\r\n') };
}
const received = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A response that breaks off ends with a reset.
  await new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  return Buffer.concat(chunks).toString();
};
const nothingRuns = async (): Promise<boolean> => (await spoolBytes()) === 0;
async function spoolBytes(): Promise<number> {
  const { text } = await service.anonymous().get('/metrics');
  return Number(/^limit_used\{limit="spool bytes"\} (\S+)$/m.exec(text)![1]);
}

test('the response begins while the file is still arriving', async () => {
  const { socket, send, end } = await begin('ndjson');
  for (let n = 0; n < 3; n++) {
    send(`{"center":"47,15","n":${n}}\n`);
    let text = '';
    while (!text.includes(`"n":${n}`)) text += String(((await once(socket, 'data')) as [Buffer])[0]);
  }
  end();
  expect(await received(socket)).toMatch(/0\r\n\r\n$/);
});

test('a client that sends its whole file before it reads gets the whole response', async () => {
  const { socket, send } = await begin('ndjson', 'limit=10');
  socket.pause();
  for (let n = 0; n < UNREAD_ROWS; n++) send(`{"center":"48.003,16.003","n":${n},"more":"${'x'.repeat(UNREAD_CHARACTERS)}"}\n`);
  await new Promise((sent) => socket.write('0\r\n\r\n', sent));
  socket.resume();
  const text = await received(socket);
  expect(text.length).toBeGreaterThan(UNREAD_ROWS * 3_000);
  expect(text.match(/"results":\[\{/g)).toHaveLength(UNREAD_ROWS);
  await until('the file is gone', nothingRuns);
});

test('a client that does not read is disconnected, and one that disconnects ends its search', async () => {
  const silent = await begin('ndjson', 'limit=10');
  const [body] = [`{"center":"48.003,16.003","more":"${'x'.repeat(UNREAD_CHARACTERS)}"}\n`.repeat(UNREAD_ROWS)];
  silent.socket.pause();
  silent.send(body);
  await until('it is cut', async () => /^http_slow_readers_cut_total [1-9]/m.test((await service.anonymous().get('/metrics')).text));
  await until('the file is gone', nothingRuns);
  silent.socket.destroy();

  const leaving = await begin('ndjson', 'limit=10');
  leaving.send(body);
  await once(leaving.socket, 'data');
  leaving.socket.destroy();
  await until('the file is gone', nothingRuns);
  expect(await search('center\n"47,15"\n')).toContain('ano.test');
});

test('a caller searches one file at a time and does not delay others', async () => {
  const { socket, send, end } = await begin('csv');
  // The table reader returns a row only when the next one begins.
  send('center\n"47,15"\n"47,15"\n');
  await once(socket, 'data');
  const other = await service.as({ tenant: 'isp.other', scope: 'coverage:search' });
  expect((await searchFile(other, 'center\n"47,15"\n')).status).toBe(200);
  const waiting = search('center\n"47,15"\n');
  await sleep(500);
  end();
  expect(await received(socket)).toContain('ano.test');
  expect(await waiting).toContain('ano.test');
});

const GOOD = '"47,15"\n';
test.each<[string, string, RegExp]>([
  ['more rows than are allowed', GOOD.repeat(MAX_ROWS), new RegExp(`more than ${MAX_ROWS} rows`)],
  ['a row that is too long', `"${'x'.repeat(70_000)}"\n${GOOD}`, /has a row of more than 65536 characters/],
])('%s: earlier rows have results, the last record has the error, and the connection is closed', async (_title, rest, reason) => {
  const { socket, send, end } = await begin('csv');
  send(`center\n${GOOD.repeat(200)}`);
  send(rest);
  end();
  const text = await received(socket);
  const lines = linesOf(text).filter((line) => line.startsWith('"47,15",1,') || line.startsWith(NO_RESULT));
  expect(lines.length).toBe(rest.startsWith(GOOD) ? MAX_ROWS + 1 : 201);
  expect(lines.at(-1)).toMatch(reason);
  expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
  await until('the file is gone', nothingRuns);
});

test('if one statement for many places takes too long, each place has its results from a statement of its own', async () => {
  const authorization = `Bearer ${await service.issuer.token({ tenant: 'isp.test', scope: 'coverage:search' })}`;
  const body = `latitude,longitude\n${'47,15\n10,180\n'.repeat(20)}`;
  // Not with supertest, which ends the process if a response breaks off.
  const searching = async (): Promise<string> =>
    (await fetch(service.url + SEARCH, { method: 'POST', headers: { authorization, 'content-type': 'text/csv' }, body })).text();
  const before = await searching();
  expect(linesOf(before)).toHaveLength(41);
  const late = await withClient(service.databaseUrl, async (client) => {
    await client.query('begin; lock table access_node in access exclusive mode');
    const text = searching().catch(String);
    // As PostgreSQL does at the end of the time that a statement may take.
    const cancel = `select pg_cancel_backend(a.pid) from pg_stat_activity a where a.wait_event_type = 'Lock' and a.query like '%nearby.*%'`;
    // Not with this client: what it saw of the others at first does not change until the end of its transaction.
    await until('the statement is late', async () => (await sql(service.databaseUrl, cancel)).length > 0);
    await client.query('commit');
    return text;
  });
  expect(late).toBe(before);
});

test('a new node is found by the next file', async () => {
  const file = 'center\n"20, 20"\n';
  expect(await search(file)).toContain(NO_RESULT);
  await create(await operator(service), { center: '20, 20' });
  expect(await search(file)).toContain('ano.test');
});

test('the file from the docs, as saved by the German version of Excel, keeps its own columns', async () => {
  const file = readFileSync(new URL('../../../../docs/places.csv', import.meta.url), 'utf8');
  const lines = linesOf(file);
  expect(linesOf(await search(file)).map((line, index) => line.slice(0, lines[index]!.length))).toEqual(lines);
});

test(`${REAL_PLACES} places from a real data set keep their other columns`, async () => {
  const places = austrianPlaces.slice(0, REAL_PLACES).map(({ lat, lng, ...others }) => ({ ...others, latitude: lat, longitude: lng }));
  expect(places).toHaveLength(REAL_PLACES);
  const columns = Object.keys(places[0]!) as (keyof (typeof places)[number])[];
  for (const [format, separator] of [
    ['csv', ','],
    ['csv', ';'],
    ['tsv', '\t'],
  ] as const) {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const lines = places.map((place) => columns.map((column) => quoted(place[column])).join(separator));
    const rows = rowsOf(await search([columns.join(separator), ...lines].join('\n'), format), separator);
    expect(rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))).toEqual(places);
    expect(rows.filter(({ error }) => error !== '')).toEqual([]);
  }
});

test.each(FILE_FORMATS)('with format=%s, the response has the media type of that format', async (format) => {
  const answer = await searchFile(isp, 'center\n', { query: { format } });
  expect([answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
    expect.stringContaining(TYPES[format]),
    `attachment; filename="covered.${format}"`,
  ]);
});
