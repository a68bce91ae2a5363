import type { FileFormat } from '@fibre/client';
import { Refusal } from '../../../../refusal.js';
import type { Source } from './source.js';
import { NO_ROW, parseTable, refusedRows, isEmpty, withColumns } from './table-file.js';
import { textOf } from './source.js';

const NAMES: Readonly<Record<string, string>> = { Ort: 'center', Breite: 'latitude', Länge: 'longitude', Stufe: 'token' };
const sourceOf = (parts: BlobPart[], format: FileFormat = 'csv'): Source => ({ file: new File(parts, 'x'), format, gzip: false });
const rewritten = async (source: Source): Promise<string> => {
  const table = await parseTable(await textOf(source), source.format);
  const heading = table.rows.find((row) => !isEmpty(row)) ?? NO_ROW;
  return withColumns(
    table,
    heading,
    heading.cells.map((name) => NAMES[name.trim()]),
  ).text();
};
const renamed = async (text: string, format: 'csv' | 'tsv' = 'csv'): Promise<string> => rewritten(sourceOf([text], format));

it('renames and leaves out columns, and keeps the separator and the line of each row', async () => {
  expect(await renamed('\uFEFFOrt;Stufe ;intern\n"48, 16";planned;"x\r\ny"\n\n48, 17;"a ""b""\n"\n')).toBe(
    // What is left out had a line break.
    'center;token\r\n48, 16;planned\r\n\r\n\r\n48, 17;"a ""b""\n"\r\n',
  );
  expect(await renamed('Breite;Länge;intern\n48,44;"16,1";x\n')).toBe('latitude;longitude\r\n48,44;16,1\r\n');
  expect(await renamed('Breite\tLänge\tintern\n48,44\t"16\t1"\tx\n', 'tsv')).toBe('latitude\tlongitude\r\n48,44\t"16\t1"\r\n');
  expect(await renamed('"intern;a",Ort,Stufe\n1,"48, 16",x\n')).toBe('center,token\r\n"48, 16",x\r\n');
  expect(await renamed('Ort;intern\n48, 16;x\n')).toBe('center\r\n"48, 16"\r\n');
  expect(await renamed('\n\nOrt,intern\n"48, 16",1\n')).toBe('\r\n\r\ncenter\r\n"48, 16"\r\n');
});

it('leaves a row with too few or too many cells for the service to reject, but no empty ones', async () => {
  expect(await renamed('intern;Ort;Stufe\n1\n1;2;3;4\n1;2;3; ;\n')).toBe('center;token\r\n1\r\n2;3;4\r\n2;3\r\n');
});

it.each([
  ['Ort,intern\n"48, 16",x\n"48, 17",a "b"\n', 'The file has a quote within a cell, line 3.'],
  ['Ort,intern\n"48,\n16",x\n"48, 17\n\n\n', 'The file has an unclosed quote that begins in this row, line 4.'],
])('%j is rejected as the service rejects it', async (text, detail) => {
  await expect(renamed(text)).rejects.toMatchObject({ problem: { detail } });
});

it('never replaces bytes that are not UTF-8', async () => {
  const file = sourceOf(['Ort,intern\n"48, 16",ok\n"48, 17",Hauptstra', Uint8Array.of(0xdf), 'e\n']);
  for (const write of [() => rewritten(file), () => refusedRows(file, [], [], '')])
    await expect(write()).rejects.toMatchObject({ problem: { detail: 'The file contains bytes that are not UTF-8, line 3.' } });
  const cut = sourceOf(['Ort\n"48, 16"\n', Uint8Array.of(0xc3)]);
  await expect(rewritten(cut)).rejects.toBeInstanceOf(Refusal);
});

it('returns the rejected rows with the reasons, and with the separator of the file', async () => {
  const file = sourceOf(['center;token\r\n48, 16;a\r\n"48,\r\n17";b\r\n\r\n49, 17;c\r\n']);
  const faults = [
    { line: 3, column: 'token', detail: 'is none' },
    { line: 3, column: 'center', detail: 'is far' },
    { line: 6, detail: 'twice; or more' },
  ];
  const { content, count } = await refusedRows(
    file,
    [
      [3, 4],
      [6, 6],
    ],
    faults,
    '',
  );
  expect(count).toBe(2);
  expect(await content.text()).toBe(
    'center;token;reason\r\n"48,\r\n17";b;token: is none; center: is far\r\n49, 17;c;twice; or more\r\n'.replaceAll(
      /token: .*far|twice; or more/g,
      '"$&"',
    ),
  );
});

it('replaces the reasons of rows that were rejected before', async () => {
  const file = sourceOf(['center,reason\n"48, 16",old\n"49, 17",old\n']);
  const { content } = await refusedRows(file, [[3, 3]], [{ line: 3, detail: 'new' }], '');
  expect(await content.text()).toBe('center,reason\r\n"49, 17",new\r\n');
});

describe('every rejected row is found, also those whose reasons are not listed', () => {
  const numbers = Array.from({ length: 3_000 }, (_, index) => index + 1);
  const isRefused = (number: number): boolean => number % 3 > 0;
  /** As the service writes them, in lines or numbers of features. */
  const rangesOf = (first: (number: number) => number, size = 1): [number, number][] => {
    const ranges: [number, number][] = [];
    for (const number of numbers.filter(isRefused)) {
      const start = first(number);
      if (ranges.at(-1)?.[1] === start - 1) ranges.at(-1)![1] = start + size - 1;
      else ranges.push([start, start + size - 1]);
    }
    return ranges;
  };
  const expected = numbers.filter(isRefused);

  it.each([
    ['csv', ','],
    ['tsv', '\t'],
  ] as const)('in a %s file, also with cells of several lines and empty lines', async (format, separator) => {
    const rows = numbers.map((number) => `${number}${separator}"a\r\nb"\r\n`);
    const file = sourceOf([`id${separator}note\r\n${rows.join('\r\n')}`], format);
    const { content, count } = await refusedRows(
      file,
      rangesOf((number) => 3 * number - 1, 2),
      [{ line: 2, detail: 'bad' }],
      'unlisted',
    );
    expect(count).toBe(2_000);
    const text = await content.text();
    expect([...text.matchAll(/^\d+/gm)].map(Number)).toEqual(expected);
    expect([...text.matchAll(/unlisted/g)]).toHaveLength(1_999);
  });

  it('in a file of JSON Lines and of GeoJSON, unchanged', async () => {
    const lines = sourceOf([numbers.map((id) => `${JSON.stringify({ id })}\n`).join('')], 'ndjson');
    const ofLines = await refusedRows(
      lines,
      rangesOf((number) => number),
      [],
      '',
    );
    expect(ofLines.count).toBe(2_000);
    expect(await ofLines.content.text()).toBe(expected.map((id) => `{"id":${id}}\n`).join(''));
    const features = sourceOf(['\uFEFF', JSON.stringify({ type: 'FeatureCollection', features: numbers })], 'geojson');
    const ofFeatures = await refusedRows(
      features,
      rangesOf((number) => number),
      [],
      '',
    );
    expect(JSON.parse(await ofFeatures.content.text())).toEqual({ type: 'FeatureCollection', features: expected });
    expect(ofFeatures.count).toBe(2_000);
  });
});
