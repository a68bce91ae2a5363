import { gzipSync } from 'node:zlib';
import { columnsOf } from './columns.js';

it.each([
  ['csv', 'relation_id,token,center\nx,planned,"48, 16"\n'],
  ['csv', '\uFEFF"relation_id";token ;"center"\r\n'],
  ['tsv', 'relation_id\ttoken\tcenter\n'],
  ['ndjson', '{"relation_id":"x","token":"planned","center":"48, 16"}\n{"a":1}\n'],
] as const)('names the columns of a %s', async (format, text) => {
  expect(await columnsOf(new Blob([text]), format, false)).toEqual(['relation_id', 'token', 'center']);
  expect(await columnsOf(new Blob([gzipSync(text)]), format, true)).toEqual(['relation_id', 'token', 'center']);
});

it('takes a header with a semicolon as separated by semicolons, as the service does', async () => {
  expect(await columnsOf(new Blob(['a,b,c;d\n1,2,3;4\n']), 'csv', false)).toEqual(['a,b,c', 'd']);
});

it('names the properties of a GeoJSON file', async () => {
  const text = JSON.stringify({ type: 'FeatureCollection', features: [{ properties: { token: 'planned' } }] });
  expect(await columnsOf(new Blob([text]), 'geojson', false)).toEqual(['center', 'token']);
});

it('names none of what it cannot read, nor reads more than it needs', async () => {
  expect(await columnsOf(new Blob(['\u0000\u0001']), 'ndjson', false)).toEqual([]);
  expect(await columnsOf(new Blob(['a,b']), 'csv', true)).toEqual([]);
  expect(await columnsOf(new Blob([`a,b\n${'x'.repeat(50_000_000)}`]), 'csv', false)).toEqual(['a', 'b']);
});
