import { gzipSync } from 'node:zlib';
import type { FileFormat } from '@fibre/client';
import { volume } from '@fibre/testing/volume';
import { previewOf } from './preview.js';

const preview = (parts: BlobPart[], format: FileFormat, gzip = false) => previewOf({ file: new File(parts, 'x'), format, gzip });
const rowsOf = async (...of: Parameters<typeof preview>) => (await preview(...of)).filled.map(({ cells }) => cells);
const columnsOf = async (...of: Parameters<typeof preview>) => (await rowsOf(...of))[0] ?? [];

it.each([
  ['csv', 'relation_id,token,center\nx,planned,"48, 16"\n'],
  ['csv', '\uFEFF"relation_id";token;"center"\r\nx;planned;48, 16\r\n;;\r\n'],
  ['tsv', 'relation_id\ttoken\tcenter\nx\tplanned\t48, 16\n'],
] as const)('shows the columns and the first rows of a %s file', async (format, text) => {
  const shown = [
    ['relation_id', 'token', 'center'],
    ['x', 'planned', '48, 16'],
  ];
  expect(await rowsOf([text], format)).toEqual(shown);
  expect(await rowsOf([gzipSync(text)], format, true)).toEqual(shown);
});

it.each([
  ['a,b,c;d\n1,2,3;4\n', ['a', 'b', 'c;d']],
  ['Straße, Nr.;latitude;longitude\nx;48;16\n', ['Straße, Nr.', 'latitude', 'longitude']],
  ['id,Address (street; no),latitude,longitude\n1,x,48,16\n', ['id', 'Address (street; no)', 'latitude', 'longitude']],
  ['id,"a;b;c;d",latitude,longitude\n1,x,48.2,16.3\n', ['id', 'a;b;c;d', 'latitude', 'longitude']],
  ['"a\nb";latitude;longitude\nx;48,2;16,3\n', ['a\nb', 'latitude', 'longitude']],
  ['"a ""b;c"" \r\n, d";latitude;longitude\nx;48,2;16,3\n', ['a "b;c" \r\n, d', 'latitude', 'longitude']],
  ['\r\nlatitude;longitude\n48,2;16,3\n', ['latitude', 'longitude']],
  ['center\n"48, 16"\n', ['center']],
])('the separator of %j is the one that occurs more often in the first row, outside quotes', async (text, columns) => {
  expect(await columnsOf([text], 'csv')).toEqual(columns);
});

it.each(['csv', 'tsv', 'ndjson', 'geojson'] as const)('says that a %s file is not UTF-8, and in which line', async (format) => {
  const { error } = await preview(['a,b\nc,', Uint8Array.of(0xdf), '\n'], format);
  expect(error?.problem).toMatchObject({
    detail: 'The file contains bytes that are not UTF-8, line 2.',
    hint: 'Save the file as UTF-8; in Excel choose the type "CSV UTF-8".',
  });
});

it('reads a character that the end of the preview cuts in two', async () => {
  expect(await columnsOf([`a,b\n${'ü€😀'.repeat(30_000)}`], 'csv')).toEqual(['a', 'b']);
});

it('shows what it can read of a file with a fault', async () => {
  expect(await columnsOf(['\u0000\u0001'], 'ndjson')).toEqual([]);
  expect(await columnsOf(['a,b'], 'csv', true)).toEqual([]);
  expect(await columnsOf([`a,b\n"${'x'.repeat(volume(5_000_000, 50_000_000))}`], 'csv')).toEqual(['a', 'b']);
});
