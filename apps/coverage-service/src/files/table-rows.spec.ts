import { Readable } from 'node:stream';
import { volume } from '@fibre/testing/volume';
import fc from 'fast-check';
import type { SentRow } from './sent-row.js';
import { type TableRules, tableRows } from './table-rows.js';
import { textOf } from './text.js';

const COLUMNS = ['token', 'center', 'lot_id', 'technology'];

function* inPieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(text: string, size: number, separator: string): Promise<SentRow[]> {
  const pieces = textOf(Readable.from(inPieces(Buffer.from(text), size)), new AbortController().signal);
  const rules: TableRules = { ...(separator === '\t' && { separator }), numbers: [], checkHeader: () => [] };
  const rows: SentRow[] = [];
  for await (const row of tableRows(pieces, rules)) rows.push(row);
  return rows;
}

const cell = fc.oneof(
  fc.constantFrom('', ' ', '"', '""', ',', ';', '\t', '\n', '\r\n', '\r', 'a\nb', 'a "b"', '=1+1', 'ß', '🏠'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const file = fc.record({
  rows: fc.array(fc.array(cell, { minLength: COLUMNS.length, maxLength: COLUMNS.length }), { maxLength: 8 }),
  separator: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  size: fc.constantFrom(1, 2, 3, 7, 65_536),
  endsWithBreak: fc.boolean(),
});

/** The rows that have a value: the line where each begins, and its non-empty values. */
function expected(rows: readonly string[][]): SentRow[] {
  let line = 2;
  return rows.flatMap((cells) => {
    const place = line;
    const breaks = cells.reduce((sum, text) => sum + (text.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    line += 1 + breaks;
    const fields = Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index]!] as const).filter(([, text]) => text !== ''));
    return Object.keys(fields).length === 0 ? [] : [{ place, ...(breaks > 0 && { end: place + breaks }), fields, sent: cells }];
  });
}

test.each([
  ['where necessary', false],
  ['always', true],
])('cells that are quoted %s are read correctly in pieces of any size', async (_when, always) => {
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, separator, lineEnd, size, endsWithBreak }) => {
      const written = (text: string): string =>
        always || /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
      const lines = [COLUMNS, ...rows].map((cells, index) => (index === 0 ? cells : cells.map(written)).join(separator));
      const text = lines.join(lineEnd) + (endsWithBreak ? lineEnd : '');
      expect(await read(text, size, separator)).toEqual(expected(rows));
    }),
    { numRuns: volume(50, 500, 1_000) },
  );
});

test('empty lines are counted but not read', async () => {
  expect(await read('\ufefftoken,center\n\n\nplanned,"1, 2"\r\n\r\n\n', 3, ',')).toEqual([
    { place: 4, fields: { token: 'planned', center: '1, 2' }, sent: ['planned', '1, 2'] },
  ]);
});
