import { randomUUID } from 'node:crypto';
import { startTestService, type TestService } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, create, operator } from '../access-nodes/access-nodes.js';
import { counts, done, FILE_FORMATS, importFile, type Sending } from './imports.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

const store = (...references: string[]) =>
  Promise.all(references.map((customer_reference) => create(ano, { relation_id, customer_reference, center: '48.2, 16.2' })));
/** The response to rows with these references; the first is in line 1. */
const send = (references: readonly string[], query: Record<string, string> = {}, sending: Sending = {}) =>
  importFile(
    ano,
    references.map((customer_reference) => JSON.stringify({ customer_reference, latitude: 48.2, longitude: 16.2 })).join('\n'),
    { format: 'ndjson', query: { relation_id, token: 'planned', dry_run: 'true', ...query }, ...sending },
  );
const detail = (reference: string): string => expect.stringContaining(JSON.stringify(reference)) as string;

test.each([
  ['00123', '123'],
  ['A0001', 'a0001'],
  ['1E5', '100000'],
  ['1E5', '100000.0'],
  ['12345678901234567890', '12345678901234567890.0'],
  ['2.50', '2.5'],
  ['2.5', '2,5'],
  ['007E', '7E'],
  ['-07', '-7'],
  ['12:30', '12:30:00'],
  ['2026-03-01', '2026-03-01T00:00:00'],
  ['2026/03/01', '2026-03-01'],
])('the node %s, and a dry run with the new reference %s: the row is warned of, in either direction', async (kept, changed) => {
  for (const [stored, sent] of [
    [kept, changed],
    [changed, kept],
  ] as const) {
    relation_id = randomUUID();
    await store(stored, 'another');
    const answer = await send(['another', 'new', sent]);
    expect(counts(answer)).toMatchObject({ status: 200, rows: 3, created: 2 });
    expect(answer.body.warnings).toEqual([{ line: 3, column: 'customer_reference', detail: detail(stored) }]);
  }
});

test.each([
  ['1.234', '1234'],
  ['A-1', 'A1'],
  ['0', '00A'],
  ['1E5', '1E6'],
  ['12:30', '12:30:01'],
  ['1E99', '1E999'],
  ['Straße', 'Strasse'],
])('%s and %s are different references: no warning', async (stored, sent) => {
  await store(stored);
  const answer = await send([sent]);
  expect([counts(answer), answer.body.warnings]).toEqual([done({ rows: 1, created: 1 }), undefined]);
});

test('a node that another row names was not changed on the way, so it is no warning; nor is another relation, collection or tenant', async () => {
  await store('123');
  expect((await send(['0123', '123'])).body.warnings).toBeUndefined();
  expect((await send(['0123'], { target: 'prenodes' })).body.warnings).toBeUndefined();
  expect((await send(['0123'])).body.warnings).toHaveLength(1);
  relation_id = randomUUID();
  expect((await send(['0123'])).body.warnings).toBeUndefined();
});

test('with absent=delete too, the nodes that would go are those that the new references mean', async () => {
  await store('00123', '00124');
  const answer = await send(['123', '124'], { absent: 'delete', max_deleted: '2' });
  expect(counts(answer)).toEqual(done({ rows: 2, created: 2, deleted: 2 }));
  expect(answer.body.warnings).toMatchObject([{ detail: detail('00123') }, { detail: detail('00124') }]);
});

test('a dry run that is refused warns as well; an import is not held up by warnings and has none', async () => {
  await store('00123');
  const answer = await send(['123', '', '124']);
  expect([answer.status, answer.body.refused, answer.body.warnings]).toMatchObject([422, 1, [{ line: 1 }]]);
  const stored = await send(['123'], { dry_run: 'false' });
  expect([counts(stored), stored.body.warnings]).toEqual([done({ rows: 1, created: 1 }), undefined]);
});

test('at most 1,000 rows are warned of, the first ones; of two nodes that a reference could mean, one is named', async () => {
  const references = Array.from({ length: 1_100 }, (_, index) => `${index + 1}`);
  await importFile(ano, references.map((reference) => `{"customer_reference":"0${reference}","center":"48.2, 16.2"}`).join('\n'), {
    format: 'ndjson',
    query: { relation_id, token: 'planned' },
  });
  await store('0001');
  const { warnings } = (await send(references)).body as { warnings: { line: number; detail: string }[] };
  expect(warnings.map(({ line }) => line)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  expect(warnings[0]!.detail).toContain('"0001"');
});

test.each(FILE_FORMATS)('%s: the place is that of the row', async (format) => {
  await store('00123');
  const files = {
    csv: 'customer_reference,latitude,longitude\n123,48.2,16.2\n',
    tsv: 'customer_reference\tlatitude\tlongitude\n123\t48.2\t16.2\n',
    ndjson: '{"customer_reference":"123","latitude":48.2,"longitude":16.2}\n',
    geojson: JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [16.2, 48.2] }, properties: { customer_reference: '123' } }],
    }),
  };
  const answer = await importFile(ano, files[format], { format, query: { relation_id, token: 'planned', dry_run: 'true' } });
  const place = { csv: { line: 2 }, tsv: { line: 2 }, ndjson: { line: 1 }, geojson: { feature: 1 } }[format];
  expect(answer.body.warnings).toEqual([{ ...place, column: 'customer_reference', detail: detail('00123') }]);
});
