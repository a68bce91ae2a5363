import { randomUUID } from 'node:crypto';
import { withClient } from '@fibre/embedded-postgres';
import { startTestService, type TestService } from '@fibre/testing';
import { volume } from '@fibre/testing/volume';
import type { Response } from 'supertest';
import { coverageService } from '../../src/coverage-service.js';
import { type Client, list, operator } from '../access-nodes/access-nodes.js';
import { counts, done, FILE_FORMATS, type FileFormat, importFile } from './imports.js';

let service: TestService;
let ano: Client;
let relation_id: string;

beforeAll(async () => {
  service = await startTestService(coverageService);
  ano = await operator(service);
});
beforeEach(() => void (relation_id = randomUUID()));
afterAll(() => service.close());

/** An import stops at the refused row with this number. */
const MOST = 10_000;

type Row = Readonly<{ customer_reference: string; token: string; longitude: string; isGood?: true }>;
const good = (n: number, token = 'planned'): Row => ({ customer_reference: `good ${n}`, token, longitude: '16.2', isGood: true });
/** Rows that are refused while the file is read, and, every third, in the database. */
const faulty = (n: number): Row =>
  [
    { customer_reference: `bad ${n}`, token: 'of two\nlines', longitude: '16.2' },
    { customer_reference: `bad ${n}`, token: 'planned', longitude: 'x' },
    { customer_reference: 'repeated', token: 'planned', longitude: '16.2' },
  ][n % 3]!;

/** A file of faulty rows, with good ones between them. */
function rowsWith(faults: number): Row[] {
  const [goods, steps] = [60, Math.max(60, faults)];
  const rows: Row[] = [];
  for (let n = 0; n < steps; n++) {
    if (n < faults) rows.push(faulty(n));
    if (n % Math.floor(steps / goods) === 0) rows.push(good(rows.length));
  }
  return rows;
}

const COLUMNS = ['token', 'longitude', 'latitude', 'customer_reference'] as const;
const record = (row: Row, format: FileFormat): string => {
  const { isGood: _isGood, longitude, ...properties } = { latitude: '48.2', ...row };
  const { latitude, ...others } = properties;
  const cells = { ...properties, longitude };
  if (format === 'csv' || format === 'tsv')
    return COLUMNS.map((column) => (cells[column].includes('\n') ? `"${cells[column]}"` : cells[column])).join(
      format === 'csv' ? ',' : '\t',
    );
  if (format === 'ndjson') return JSON.stringify(cells);
  const coordinates = [longitude === 'x' ? 'x' : Number(longitude), Number(latitude)];
  return JSON.stringify({ type: 'Feature', geometry: { type: 'Point', coordinates }, properties: others });
};

function fileOf(rows: readonly Row[], format: FileFormat): string {
  const records = rows.map((row) => record(row, format));
  if (format === 'geojson') return `{"type":"FeatureCollection","features":[\n${records.join(',\n')}\n]}`;
  const header = format === 'ndjson' ? [] : [COLUMNS.join(format === 'csv' ? ',' : '\t')];
  return [...header, ...records, ''].join('\n');
}

/** The lines of each row, or the number of its feature. */
function linesOf(rows: readonly Row[], format: FileFormat): number[][] {
  let next = format === 'csv' || format === 'tsv' ? 2 : 1;
  return rows.map((row) => {
    const length = format === 'geojson' ? 1 : record(row, format).split('\n').length;
    next += length;
    return Array.from({ length }, (_, index) => next - length + index);
  });
}

const refusedLines = ({ body }: Response): number[] =>
  (body.refused_lines as [number, number][]).flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index));

/** The most faults are one more than are described, which is the same for every format. */
const CASES = FILE_FORMATS.flatMap((format) =>
  volume(format === 'csv' ? [0, 1, 1_001] : [0, 1, 7], [0, 1, 999, 1_000, 1_001, 20_000]).map((faults) => [format, faults] as const),
);

test.each(CASES)(
  '%s with %d faulty rows: every refused line is named, and the counts are those of the good rows',
  async (format, faults) => {
    const rows = rowsWith(faults);
    const present = rows.filter(({ isGood }) => isGood).slice(0, 20);
    const changed = present.map((row, index) => (index < 8 ? { ...row, token: 'operation' } : row));
    expect(counts(await importFile(ano, fileOf(changed, 'csv'), { query: { relation_id } }))).toMatchObject({ created: 20 });
    const before = await list(ano, { relation_id });

    const read = rows.slice(0, rows.indexOf(rows.filter(({ isGood }) => !isGood)[MOST - 1]!) + 1 || rows.length);
    const [lines, isStopped] = [linesOf(read, format), faults > MOST];
    const expected = lines.filter((_lines, index) => !read[index]!.isGood).flat();

    const file = fileOf(rows, format);
    const strict = await importFile(ano, file, { format, query: { relation_id, dry_run: faults === 0 ? 'true' : 'false' } });
    const { rows: count, created, updated, unchanged, refused, refused_lines, stopped, errors } = strict.body;
    expect([strict.status, count, refused, stopped]).toEqual([
      faults === 0 ? 200 : 422,
      read.length,
      Math.min(faults, MOST),
      isStopped || undefined,
    ]);
    expect(refusedLines(strict)).toEqual(expected);
    expect(errors).toHaveLength(Math.min(faults, 1_000));
    const lax = await importFile(ano, file, { format, query: { relation_id, mode: 'lax', dry_run: 'true' } });
    expect(lax.body).toEqual({
      rows: count,
      created,
      updated,
      unchanged,
      refused,
      deleted: 0,
      refused_lines,
      errors,
      ...(stopped && { stopped }),
    });
    expect(await list(ano, { relation_id })).toEqual(before);

    const goods = read.filter(({ isGood }) => isGood);
    const answer = await importFile(ano, fileOf(goods, format), { format, query: { relation_id } });
    expect(counts(answer)).toEqual(done({ rows: goods.length, created, updated, unchanged }));
    expect(created + updated + unchanged).toBe(goods.length);
    expect(answer.body.refused_lines).toEqual([]);
  },
  60_000,
);

test('adjacent refused lines are one range, and an empty line between two rows ends it', async () => {
  const file = 'token,center\nx,"48, 16"\nx,"48, 16"\n\nx,"48, 16"\nplanned,"48, 16"\nx,"48, 16"\n';
  const { body } = await importFile(ano, file, { query: { relation_id, mode: 'lax' } });
  expect(body.refused_lines).toEqual([
    [2, 3],
    [5, 5],
    [7, 7],
  ]);
});

test('an import with more repeated references than are counted stops at the last one counted', async () => {
  const file = `token,center,customer_reference\n${'planned,"48, 16",same\n'.repeat(MOST + 500)}planned,"48, 16",other\n`;
  const answer = await importFile(ano, file, { query: { relation_id, mode: 'lax' } });
  expect(counts(answer)).toEqual(done({ rows: MOST, refused: MOST }));
  expect(answer.body).toMatchObject({ stopped: true, refused_lines: [[2, MOST + 1]] });
});

test('a refused import and a dry run wait for no other work on their relation, and lock nothing', async () => {
  await importFile(ano, fileOf([good(1), good(2)], 'csv'), { query: { relation_id } });
  const file = fileOf([good(1, 'operation'), good(3), faulty(0)], 'csv');
  await withClient(service.databaseUrl, async (client) => {
    await client.query(`begin`);
    await client.query(`select pg_advisory_xact_lock(hashtext('relations of ano.test'), n) from generate_series(0, 255) n`);
    await client.query(`select from access_node where relation_id = $1 for update`, [relation_id]);
    for (const query of [{}, { mode: 'lax', dry_run: 'true' }] as Record<string, string>[]) {
      const { body } = await importFile(ano, file, { query: { relation_id, ...query } });
      expect(body).toMatchObject({ rows: 3, created: 1, updated: 1, refused: 1, refused_lines: [[4, 5]] });
    }
    await client.query('rollback');
  });
});
