import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, list, operator, problemOf, refusal, SEARCH } from '../access-nodes/access-nodes.js';
import { counts, done, exportFile, FILE_FORMATS, type FileFormat, importFile, searchFile } from './imports.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

const send = (file: string, format: FileFormat) => importFile(ano, file, { format, query: { relation_id, token: 'planned' } });
type Properties = Readonly<Record<string, unknown>>;
const feature = (properties: Properties): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [16.2, 48.2] }, properties }],
  });
const table = (row: Properties, separator: string): string =>
  [Object.keys(row), Object.values(row)].map((cells) => `${cells.join(separator)}\n`).join('');

/** A file with one row. Its position is in the columns latitude and longitude, or that of the feature. */
const fileOf: Readonly<Record<FileFormat, (row: Properties) => string>> = {
  csv: (row) => table({ latitude: 48.2, longitude: 16.2, ...row }, ','),
  tsv: (row) => table({ latitude: 48.2, longitude: 16.2, ...row }, '\t'),
  ndjson: (row) => `${JSON.stringify({ latitude: 48.2, longitude: 16.2, ...row })}\n`,
  geojson: feature,
};

test.each(FILE_FORMATS)('%s: what GIS programs add is left out, and their dates are read', async (format) => {
  for (const [written, date] of [
    ['2026-03-01', '2026-03-01'],
    ['2026/03/01', '2026-03-01'],
    ['2026-03-01T00:00:00', '2026-03-01'],
    ['2026-03-01T00:00:00.000', '2026-03-01'],
  ]) {
    relation_id = randomUUID();
    expect(counts(await send(fileOf[format]({ fid: 7, ogc_fid: 7, gml_id: 'nodes.7', available_from: written }), format))).toEqual(
      done({ rows: 1, created: 1 }),
    );
    const [{ fid, available_from }] = (await list(ano, { relation_id })) as never as [Record<string, unknown>];
    expect([fid, available_from]).toEqual([undefined, date]);
  }
  for (const wrong of ['2026/02/30', '2026-02-30T00:00:00', '2026-03-01T01:00:00', '2026-03-01T00:00:00.001', '01/03/2026', '2026/03-01'])
    expect((await send(fileOf[format]({ available_from: wrong }), format)).body.errors).toMatchObject([{ column: 'available_from' }]);
  expect((await send(fileOf[format]({ objectid: 7 }), format)).body.errors).toMatchObject([{ column: 'objectid' }]);
});

test.each<[FileFormat, string]>([
  ['csv', 'X,Y,units\n16.2,48.2,3\n'],
  ['csv', 'units,y,x\n3,48.2,16.2\n'],
  ['csv', 'X;Y;units\n16,2;48,2;3,0\n'],
  ['tsv', 'x\tY\tunits\n16,2\t48.2\t3,0\n'],
  ['ndjson', '{"X":16.2,"Y":48.2,"units":3}\n'],
  ['ndjson', '{"y":"48.2","x":"16.2","units":3}\n'],
])('%s: X and Y are longitude and latitude if there is no other position: %j', async (format, file) => {
  expect(counts(await send(file, format))).toEqual(done({ rows: 1, created: 1 }));
  expect(await list(ano, { relation_id })).toMatchObject([{ center: '48.2, 16.2', units: 3 }]);
});

test('X and Y beside another position are refused, and so is half of them; a fault in one names it', async () => {
  const faults = async (file: string, format: FileFormat): Promise<unknown> =>
    ((await send(file, format)).body.errors as { column: string }[]).map(({ column }) => column);
  expect(await faults('X,Y,center\n16,48,"48, 16"\n', 'csv')).toEqual(['X', 'Y']);
  expect(await faults('X,latitude,longitude\n16,48,16\n', 'csv')).toEqual(['X']);
  expect(await faults('X\n16\n', 'csv')).toEqual(['X', 'center']);
  expect(await faults('{"X":16,"Y":48,"center":"48, 16"}', 'ndjson')).toEqual(['X', 'Y']);
  expect(await faults(feature({ X: 16.2, Y: 48.2 }), 'geojson')).toEqual(['X', 'Y']);
  expect(await faults('X,Y\n16,91\n', 'csv')).toEqual(['Y']);
  expect(await faults('X,Y\n,48\n', 'csv')).toEqual(['X']);
  expect(await faults('{"x":"east","y":48}', 'ndjson')).toEqual(['x']);
});

test('an empty property counts as absent, even if the geometry says the same', async () => {
  for (const empty of ['', null]) {
    relation_id = randomUUID();
    const properties = { latitude: empty, longitude: empty, relation_id: empty, token: empty, status: empty, units: empty, lot_id: empty };
    expect(counts(await send(feature(properties), 'geojson'))).toEqual(done({ rows: 1, created: 1 }));
    const [node] = await list(ano, { relation_id });
    expect(node).toMatchObject({ center: '48.2, 16.2', token: 'planned', status: 'active' });
    expect(node).not.toHaveProperty('lot_id');
  }
  const none = feature({}).replace('"properties":{}', '"properties":null');
  expect(counts(await send(none, 'geojson'))).toEqual(done({ rows: 1, created: 1 }));
});

const LARGE = ['units', 'download_mbps', 'upload_mbps'] as const;

test.each(LARGE)('where the comma is the decimal sign, a dot in %s is refused if it may separate thousands', async (column) => {
  for (const separator of [';', '\t']) {
    const format = separator === ';' ? 'csv' : 'tsv';
    for (const number of ['1.000', '12.000', '1.000.000', '1.000,5']) {
      const answer = await send(table({ latitude: '48,2', longitude: '16,2', [column]: number }, separator), format);
      expect(answer.body).toMatchObject({ code: 'import-refused', refused: 1 });
      expect(answer.body.errors).toEqual([
        { line: 2, column, detail: expect.stringContaining(`${number} may have thousands separators`) as string },
      ]);
    }
    for (const [number, value] of [
      ['3,0', 3],
      ['3,000', 3],
      ['1000', 1_000],
      ['3.0', 3],
    ] as const) {
      relation_id = randomUUID();
      expect(counts(await send(table({ latitude: '48,2', longitude: '16,2', [column]: number }, separator), format))).toMatchObject({
        created: 1,
      });
      expect(await list(ano, { relation_id })).toMatchObject([{ [column]: value }]);
    }
  }
  expect(counts(await send(table({ latitude: '48.2', longitude: '16.2', [column]: '1.000' }, ','), 'csv'))).toMatchObject({ created: 1 });
});

test('a coordinate cannot have thousands, so it may have a dot beside decimal commas', async () => {
  expect(counts(await send('latitude;longitude;units\n48.208;16.372;3,0\n', 'csv'))).toMatchObject({ created: 1 });
});

test.each(FILE_FORMATS)('%s: an export is imported again without a change, whatever the digits of its speeds', async (format) => {
  for (const [customer_reference, download_mbps] of [1.125, 100.5, 999.999, 0.125, 1_000, 1000.125].entries())
    await create(ano, { relation_id, customer_reference: String(customer_reference), download_mbps, center: '48.208, 16.372' });
  const file = await exportFile(ano, format, { relation_id });
  const answer = await importFile(ano, file, { format, query: { relation_id } });
  expect([answer.body.errors, counts(answer)]).toEqual([[], done({ rows: 6, unchanged: 6 })]);
});

test.each(FILE_FORMATS)('%s: a file that is one quoted JSON string is refused, and the response says so', async (format) => {
  const text = fileOf[format]({ units: 3 });
  for (const file of [text, text.repeat(2_000)]) {
    const answer = await send(JSON.stringify(file), format);
    expect(problemOf({ ...answer, body: { ...answer.body, errors: [] } } as never)).toEqual(refusal(422, 'import-refused'));
    expect(answer.body.detail).toContain('one quoted JSON string');
    const search = await searchFile(ano, JSON.stringify(file), { format });
    expect([search.status, search.body]).toEqual([422, expect.stringContaining('one quoted JSON string')]);
  }
});

test('a table with a single column in quotes is a table', async () => {
  expect(counts(await send('"center"\n"48, 16"\n', 'csv'))).toEqual(done({ rows: 1, created: 1 }));
  expect(counts(await send('"center"', 'csv'))).toEqual(done({}));
  expect((await searchFile(ano, '"center"\n"48, 16"\n')).status).toBe(200);
});

test('a lone hyphen means none in texts that others see, and more than a hyphen is refused', async () => {
  const fields = ['technology', 'address_id', 'lot_id'] as const;
  const none = { technology: '-', address_id: '-', lot_id: '-' };
  for (const format of FILE_FORMATS) {
    expect(counts(await send(fileOf[format](none), format))).toEqual(done({ rows: 1, created: 1 }));
    for (const field of fields)
      for (const text of ['-1', '--', '- ', '-\u2028'])
        expect((await send(fileOf[format]({ [field]: text }), format)).body.errors).toMatchObject([{ column: field }]);
  }
  expect(await create(ano, none)).toMatchObject(none);
  expect((await ano.get(SEARCH).query({ center: '48, 16', technology: '-' })).status).toBe(200);
});
