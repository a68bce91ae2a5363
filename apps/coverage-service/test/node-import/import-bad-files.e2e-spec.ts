import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { blockedStatements, loadPerProcessor, startTestService, type TestService, until } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import pg from 'pg';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, list, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { counts, done, type FileFormat, IMPORT, importFile, type Sending } from './imports.js';
import { sql } from '../database/sql.js';

const MEGABYTE = 1_048_576;

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService, { IMPORT_MAX_BYTES: String(3 * MEGABYTE) });
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

const HEADER = 'token,latitude,longitude,lot_id\n';
const ROW = 'planned,48.2,16.2,a\n';
const FEATURE = '{"type":"Feature","geometry":{"type":"Point","coordinates":[16.2,48.2]},"properties":{"token":"planned"}}';
const collection = (inside: string): string => `{"type":"FeatureCollection","features":[${inside}]}`;
const send = (file: string | Buffer, sending: Sending = {}) =>
  importFile(ano, file, { ...sending, query: { relation_id, mode: 'lax', ...sending.query } });
const windows1252 = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each<[string, string | Buffer, FileFormat, object]>([
  ['nothing', '', 'csv', {}],
  ['only a byte order mark', '\ufeff', 'csv', {}],
  ['no line of JSON', '\n\n', 'ndjson', {}],
  ['no GeoJSON', '', 'geojson', {}],
  ['an unclosed quote', `${HEADER}${ROW}planned,48.2,16.2,"a\n${ROW}`, 'csv', { line: 3 }],
  ['a quote within a cell', `${HEADER}"planned",48.2,16.2,12" pipe\n`, 'csv', { line: 2 }],
  ['text after a quote', `${HEADER}planned,48.2,16.2,"a"b\n`, 'csv', { line: 2 }],
  ['Windows-1252', windows1252(`${HEADER}${ROW}planned,48.2,16.2,Stra\u00dfe\n`), 'csv', { line: 3 }],
  ['Windows-1252 in quotes', windows1252(`${HEADER}"planned",48.2,16.2,a\nplanned,48.2,16.2,"Stra\u00dfe"\n`), 'csv', { line: 3 }],
  ['Windows-1252 in JSON', windows1252('{"token":"planned","center":"48,16"}\n{"lot_id":"\u00dfa"}'), 'ndjson', { line: 2 }],
  ['UTF-16', Buffer.from(`\ufeff${HEADER}${ROW}`, 'utf16le'), 'csv', {}],
  ['half a character at the end', Buffer.concat([Buffer.from(`${HEADER}planned,48.2,16.2,`), Buffer.from('ß').subarray(0, 1)]), 'csv', {}],
  ['a line of a megabyte', `${HEADER}planned,48.2,16.2,${'a'.repeat(MEGABYTE)}\n`, 'csv', { line: 2 }],
  ['a header of a megabyte', 'a'.repeat(MEGABYTE), 'csv', { line: 1 }],
  ['a cell of a megabyte', `${HEADER}planned,48.2,16.2,"${'a'.repeat(MEGABYTE)}"\n`, 'csv', { line: 2 }],
  ['a line of JSON of a megabyte', `{"token":"${'a'.repeat(MEGABYTE)}"}`, 'ndjson', { line: 1 }],
  ['a feature of a megabyte', collection(`${FEATURE},{"type":"${'a'.repeat(MEGABYTE)}"}`), 'geojson', { feature: 2 }],
  ['deep JSON', collection('['.repeat(MEGABYTE)), 'geojson', { feature: 1 }],
  ['broken JSON', collection(`${FEATURE},{"type":}`), 'geojson', { feature: 2 }],
  ['half a file', collection(FEATURE).slice(0, -2), 'geojson', { feature: 2 }],
  ['text after GeoJSON', `${collection(FEATURE)}x`, 'geojson', { feature: 2 }],
  ['another type', FEATURE, 'geojson', {}],
  ['10,000 columns', `${HEADER.trim()}${','.repeat(10_000)}\n${ROW}`, 'csv', { line: 1 }],
])('%s is rejected with an explanation, and nothing is stored', async (_title, file, format, place) => {
  const answer = await send(file, { format });
  expect(problemOf({ ...answer, body: { ...answer.body, errors: [] } } as never)).toEqual(refusal(400, 'malformed-request'));
  if (Object.keys(place).length > 0) expect(answer.body.errors).toEqual([{ ...place, detail: expect.stringMatching(/./) as string }]);
  expect(await list(ano, { relation_id })).toEqual([]);
});

const named = (name: string): string => JSON.stringify({ type: 'name', properties: { name } });

test.each([
  'null',
  ...[
    'CRS84',
    'OGC:CRS84',
    'OGC:1.3:CRS84h',
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'urn:ogc:def:crs:OGC::CRS84',
    'urn:x-ogc:def:crs:OGC:CRS84',
    'EPSG:4326',
    'epsg:4326',
    'EPSG::4326',
    'urn:ogc:def:crs:EPSG::4326',
    'urn:ogc:def:crs:EPSG:6.9:4326',
    'URN:OGC:DEF:CRS:EPSG:9.8.15:4326',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
    'https://www.opengis.net/def/crs/EPSG/9.8.15/4326',
    'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
    'http://www.opengis.net/def/crs/OGC/0/CRS84h',
    'http://www.opengis.net/gml/srs/epsg.xml#4326',
  ].map(named),
  '{"type":"EPSG","properties":{"code":4326}}',
  '{"type":"EPSG","properties":{"code":"4326"}}',
])('crs: %s is WGS 84, wherever it is', async (crs) => {
  const file = withSystem(crs, crs, crs);
  expect(counts(await send(file, { format: 'geojson' }))).toEqual(done({ rows: 2, created: 2 }));
});

test.each<[string, string]>([
  ...[
    'EPSG:3857',
    'EPSG:4258',
    'EPSG:14326',
    'EPSG::31468',
    'EPSG:4326x',
    'EPSG:4277',
    'urn:ogc:def:crs:EPSG::31287',
    'OGC:CRS27',
    'xCRS84',
  ].map((name): [string, string] => [named(name), name]),
  ['{"type":"EPSG","properties":{"code":31468}}', 'EPSG:31468'],
  ['{"type":"link","properties":{"href":"http://spatialreference.org/ref/epsg/4326/"}}', 'an unknown system'],
  ['{}', 'an unknown system'],
  ['7', 'an unknown system'],
])('crs: %s is refused, wherever it is', async (crs, name) => {
  const whole = await send(withSystem(crs), { format: 'geojson' });
  expect(problemOf({ ...whole, body: { ...whole.body, errors: [] } } as never)).toEqual(refusal(400, 'malformed-request'));
  expect([whole.body.detail, whole.body.hint]).toEqual([`The file has coordinates in ${name}.`, expect.stringContaining('EPSG:4326')]);
  for (const file of [withSystem(undefined, crs), withSystem(undefined, undefined, crs)]) {
    const { body } = await send(file, { format: 'geojson' });
    expect(body).toMatchObject({
      created: 1,
      refused: 1,
      errors: [{ feature: 2, detail: expect.stringContaining(`in ${name}.`) as string }],
    });
  }
});

/** Two features; the coordinate systems are those of the collection, of its second feature, and of the geometry of that feature. */
function withSystem(whole?: string, feature?: string, geometry?: string): string {
  const member = (crs?: string): string => (crs === undefined ? '' : `"crs":${crs},`);
  const second = FEATURE.replace('{"type":"Point"', `{${member(geometry)}"type":"Point"`).replace('{', `{${member(feature)}`);
  return collection(`${FEATURE},${second}`).replace('{', `{${member(whole)}`);
}

test.each<[string, Buffer]>([
  ['compressed', gzipSync(HEADER + ROW)],
  ['UTF-16', Buffer.from(`\ufeff${HEADER}`, 'utf16le')],
])('a file that is %s is rejected with a hint', async (_title, file) => {
  const { status, body } = await send(file);
  expect([status, body.detail, body.hint]).toEqual([
    400,
    'The file contains bytes that are not UTF-8, line 1.',
    expect.stringMatching(/as UTF-8.*Content-Encoding: gzip/),
  ]);
});

test('a table may begin with the letters PK', async () => {
  expect((await send('PK\n1\n')).body.errors).toContainEqual({ line: 1, column: 'PK', detail: 'is not a column of an import' });
});

test.each<[string, string, FileFormat, object]>([
  [
    'invalid JSON before the features',
    collection(FEATURE).replace('{', '{"a":,'),
    'geojson',
    { detail: expect.stringMatching(/^is not valid JSON/) as string },
  ],
  ['invalid JSON in the first feature', collection(`x,${FEATURE}`), 'geojson', { feature: 1, detail: expect.any(String) as string }],
  ['too many cells', `${HEADER}${','.repeat(10_001)}\n`, 'csv', { line: 2, detail: 'has 10000 or more cells, but the header has 4' }],
  ['a single cell', `${HEADER}x\n`, 'csv', { line: 2, detail: 'has 1 cell, but the header has 4' }],
  ['nameless columns', `${HEADER.trim()},,\n${ROW}`, 'csv', { line: 1, detail: 'column 6 has no name' }],
  ['a nameless field', '{"token":"planned","center":"48,16","":1}', 'ndjson', { line: 1, detail: 'has a field without a name' }],
  [
    'names in another case',
    'token,Latitude, longitude\n',
    'csv',
    { line: 1, column: 'center', detail: 'is missing; use center, or latitude and longitude' },
  ],
])('%s: the error says where and what', async (_title, file, format, error) => {
  const { body } = await send(file, { format });
  expect(body.errors).toContainEqual(error);
  expect(body.detail ?? '').not.toContain(':  ');
});

test('a file that is not UTF-8 is rejected with a hint', async () => {
  const { body } = await send(windows1252(`${HEADER}planned,48.2,16.2,Stra\u00dfe\n`));
  expect([body.detail, body.hint]).toEqual([expect.stringContaining('not UTF-8'), expect.stringContaining('CSV UTF-8')]);
});

test.each([
  ['NUL', 'planned,48.2,16.2,a\0b\n', 'lot_id'],
  ['a value that is too long', `planned,48.2,16.2,${'a'.repeat(65)}\n`, 'lot_id'],
  ['deep JSON', `{"token":"planned","center":"48,16","lot_id":${'['.repeat(50)}${']'.repeat(50)}}`, undefined],
])('%s in a row is reported as a fault of that row', async (_title, row, column) => {
  const isJson = row.startsWith('{');
  const answer = await send(isJson ? `${row}\n{"token":"planned","center":"48,16"}` : HEADER + row + ROW, {
    format: isJson ? 'ndjson' : 'csv',
  });
  expect(counts(answer)).toEqual(done({ rows: 2, created: 1, refused: 1 }));
  expect(answer.body.errors).toEqual([{ line: isJson ? 1 : 2, ...(column && { column }), detail: expect.any(String) as string }]);
});

test('a header of thousands of columns gets a readable response', async () => {
  const names = Array.from({ length: 9_000 }, (_, index) => `c${index % 8_000}`);
  const { status, text, body } = await send(`${names.join(',')}\n`);
  expect([status, body.code, body.errors.length]).toEqual([422, 'import-refused', 1_000]);
  expect(text.length).toBeLessThan(100_000);
  expect(body.hint).toContain('customer_reference');
});

test('invalid gzip is rejected', async () => {
  const whole = gzipSync(HEADER + ROW);
  const post = (bytes: Buffer) =>
    ano
      .post(IMPORT)
      .query({ relation_id })
      .set({ 'content-type': 'text/csv', 'content-encoding': 'gzip' })
      .serialize((body) => body as string)
      .send(bytes as unknown as string);
  const broken = {
    'no gzip': Buffer.from(HEADER + ROW),
    'cut off': whole.subarray(0, -5),
    'garbage after it': Buffer.concat([whole, Buffer.from('garbage')]),
    // zlib itself ignores these.
    'zeros after it': Buffer.concat([whole, Buffer.alloc(512)]),
  };
  for (const [title, bytes] of Object.entries(broken))
    expect([title, problemOf(await post(bytes))]).toEqual([title, refusal(400, 'malformed-request')]);
  // Few rows, because only the bytes count.
  const row = (): string => `planned,48.2,16.2,${randomBytes(4_000).toString('hex')}${'a'.repeat(40_000)}\n`;
  const bomb = gzipSync(HEADER + Array.from({ length: 90 }, row).join(''));
  expect(bomb.length).toBeLessThan(MEGABYTE);
  const refused = await post(bomb);
  expect(problemOf(refused)).toEqual(refusal(413, 'payload-too-large'));
  expect(refused.body.detail).toBe(`The limit is ${3 * MEGABYTE} bytes.`);
  expect(await list(ano, { relation_id })).toEqual([]);
  expect(counts(await post(Buffer.concat([whole, gzipSync(ROW)])))).toEqual(done({ rows: 2, created: 2 }));
});

test('a file whose Content-Length is too large is rejected before it arrives', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const token = await service.issuer.token({ scope: 'coverage:write' });
  socket.write(
    `POST ${IMPORT} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${token}\r\ncontent-type: text/csv\r\ncontent-length: ${4 * MEGABYTE}\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test.each<[string, string, FileFormat]>([
  ['empty lines after a quoted header', `"token","latitude","longitude"\n${'\n'.repeat(4 * MEGABYTE - 100)}`, 'csv'],
  ['rows of one empty cell in quotes', `${HEADER}${'""\n'.repeat(MEGABYTE)}`, 'csv'],
  ['empty rows', `${HEADER.replaceAll('\n', '')}\n${',,,\n'.repeat(MEGABYTE / 2)}`, 'csv'],
  ['rows of one cell', `${HEADER}${'x\n'.repeat(MEGABYTE)}`, 'csv'],
  ['empty objects', '{}\n'.repeat(MEGABYTE), 'ndjson'],
  ['empty features', collection('{},'.repeat(MEGABYTE)), 'geojson'],
])('a few kilobytes that expand to megabytes of %s cost little and do not delay other requests', async (_title, file, format) => {
  const before = process.cpuUsage();
  let answered = false;
  const sending = send(file.slice(0, volume(0.5, 3) * MEGABYTE), { format, gzip: true }).finally(() => (answered = true));
  let longest = 0;
  while (!answered) {
    const began = performance.now();
    await service.anonymous().get('/health/live');
    longest = Math.max(longest, performance.now() - began);
    await setTimeout(20);
  }
  expect((await sending).status).toBeLessThan(500);
  const { user, system } = process.cpuUsage(before);
  // Such a file of 3 MB once took 80 to 140 s of CPU time, and probes waited for 5 s.
  expect((user + system) / 1e6).toBeLessThan(volume(10, 20));
  expect(longest).toBeLessThan(1_000 * loadPerProcessor());
});

/** Starts an import of 3 MB and sends part of it. */
async function beginImport() {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const token = await service.issuer.token({ scope: 'coverage:write' });
  const head = `POST ${IMPORT}?relation_id=${relation_id} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${token}\r\ncontent-type: text/csv\r\n`;
  const before = await spoolBytes();
  socket.write(`${head}content-length: ${3 * MEGABYTE}\r\n\r\n${HEADER}${ROW.repeat(10_000)}`);
  await until('rows are in the spool', async () => (await spoolBytes()) > before);
  return socket;
}
async function spoolBytes(): Promise<number> {
  const { text } = await service.anonymous().get('/metrics');
  return Number(/^limit_used\{limit="spool bytes"\} (\S+)$/m.exec(text)![1]);
}

test('an upload in progress uses no database connection, and an interrupted upload changes nothing', async () => {
  for (let n = 0; n < 3; n++) {
    const socket = await beginImport();
    const open = await sql(
      service.databaseUrl,
      `select query from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
         and pid <> pg_backend_pid() and (xact_start is not null or backend_xid is not null)`,
    );
    expect(open).toEqual([]);
    socket.destroy();
    await until('the spool is empty', async () => (await spoolBytes()) === 0);
  }
  expect(await list(ano, { relation_id })).toEqual([]);
  expect(counts(await send(HEADER + ROW))).toEqual(done({ rows: 1, created: 1 }));
});

test('an import ends when its client disconnects, even if its file has arrived', async () => {
  const bomb = gzipSync(`${HEADER}${',,,\n'.repeat(700_000)}`);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const token = await service.issuer.token({ scope: 'coverage:write' });
  socket.write(
    `POST ${IMPORT}?relation_id=${relation_id} HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${token}\r\ncontent-type: text/csv\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
  );
  socket.write(bomb);
  await setTimeout(200);
  socket.destroy();
  const began = performance.now();
  // The next import waits for the tenant's previous one.
  expect(counts(await send(HEADER + ROW))).toEqual(done({ rows: 1, created: 1 }));
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('an import that waits in the database ends when its client disconnects', async () => {
  const holder = new pg.Client(service.databaseUrl);
  await holder.connect();
  const file = `${HEADER.trim()},customer_reference\n${ROW.trim()},waits\n`;
  await send(file);
  await holder.query('begin');
  await holder.query(`select from access_node where customer_reference = 'waits' for update`);
  const isWaiting = async (): Promise<boolean> => (await blockedStatements(service.databaseUrl)) === 1;
  const client = new AbortController();
  const headers = { authorization: `Bearer ${await service.issuer.token({ scope: 'coverage:write' })}`, 'content-type': 'text/csv' };
  const url = `${service.url}${IMPORT}?relation_id=${relation_id}`;
  const left = fetch(url, { method: 'POST', headers, body: file.replace('planned', 'operation'), signal: client.signal }).catch(
    (error: Error) => error.name,
  );
  await until('the import to wait', isWaiting);
  client.abort();
  expect(await left).toBe('AbortError');
  await until('the import to end', async () => !(await isWaiting()));
  // The tenant's next import has its place, and its connection.
  expect(counts(await send(HEADER + ROW))).toEqual(done({ rows: 1, created: 1 }));
  await holder.query('rollback');
  await holder.end();
  expect(counts(await send(file))).toEqual(done({ rows: 1, unchanged: 1 }));
});

test('a tenant runs one import at a time; the imports of other tenants continue', async () => {
  const socket = await beginImport();
  const [own, other] = [send(HEADER + ROW), importFile(await operator(service, 'ano.other'), HEADER + ROW, { query: { relation_id } })];
  expect(counts(await other)).toEqual(done({ rows: 1, created: 1 }));
  const refused = await own;
  expect([problemOf(refused), refused.headers['retry-after']]).toEqual([refusal(503, 'unavailable'), expect.stringMatching(/^\d+$/)]);
  const waiting = send(HEADER + ROW);
  await setTimeout(500);
  socket.destroy();
  expect(counts(await waiting)).toEqual(done({ rows: 1, created: 1 }));
});

test('a file that arrives in pieces of any size results in the same rows', async () => {
  const file = `\ufefftoken;latitude;longitude;lot_id\r\nplanned;48,2;16,2;ß🏠\r\n"planned";48,2;16,2;"a;""b"""\r\n\r\nplaned;;;\r\n`;
  const token = await service.issuer.token({ scope: 'coverage:write' });
  for (const size of [1, 2, 3, 7]) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setNoDelay(true);
    const bytes = Buffer.from(file);
    socket.write(
      `POST ${IMPORT}?relation_id=${randomUUID()}&mode=lax HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${token}\r\ncontent-type: text/csv\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`,
    );
    await once(socket, 'data');
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString().split('\r\n\r\n')[1]!) as object;
    expect([size, body]).toEqual([
      size,
      {
        rows: 3,
        created: 2,
        updated: 0,
        unchanged: 0,
        refused: 1,
        deleted: 0,
        refused_lines: [[5, 5]],
        errors: [
          { line: 5, column: 'latitude', detail: 'is required' },
          { line: 5, column: 'token', detail: 'must be one of planned, construction, operation' },
        ],
      },
    ]);
  }
});
