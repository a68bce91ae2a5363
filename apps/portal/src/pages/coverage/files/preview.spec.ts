import { gzipSync } from 'node:zlib';
import { previewOf, refusedRows, withColumns } from './preview.js';

const columnsOf = async (...of: Parameters<typeof previewOf>) => (await previewOf(...of)).columns;

it.each([
  ['csv', 'relation_id,token,center\nx,planned,"48, 16"\n'],
  ['csv', '\uFEFF"relation_id";token ;"center"\r\nx;planned;48, 16\r\n'],
  ['tsv', 'relation_id\ttoken\tcenter\nx\tplanned\t48, 16\n'],
  ['ndjson', '{"relation_id":"x","token":"planned","center":"48, 16"}\n'],
] as const)('shows the columns and the first rows of a %s file', async (format, text) => {
  const shown = { columns: ['relation_id', 'token', 'center'], rows: [['x', 'planned', '48, 16']] };
  expect(await previewOf(new Blob([text]), format, false)).toEqual(shown);
  expect(await previewOf(new Blob([gzipSync(text)]), format, true)).toEqual(shown);
});

it('treats semicolons as separators if the header contains one, as the service does', async () => {
  expect(await columnsOf(new Blob(['a,b,c;d\n1,2,3;4\n']), 'csv', false)).toEqual(['a,b,c', 'd']);
});

it('shows the properties of a GeoJSON file', async () => {
  const text = JSON.stringify({
    type: 'FeatureCollection',
    features: [{ geometry: { coordinates: [16, 48] }, properties: { token: 'planned' } }],
  });
  expect(await previewOf(new Blob([text]), 'geojson', false)).toEqual({ columns: ['center', 'token'], rows: [['48, 16', 'planned']] });
});

it('shows nothing if the file cannot be read, and reads no more than it needs', async () => {
  expect(await columnsOf(new Blob(['\u0000\u0001']), 'ndjson', false)).toEqual([]);
  expect(await columnsOf(new Blob(['a,b']), 'csv', true)).toEqual([]);
  expect(await columnsOf(new Blob([`a,b\n"${'x'.repeat(50_000_000)}`]), 'csv', false)).toEqual(['a', 'b']);
});

it('renames and leaves out columns, and keeps each row on its line', async () => {
  const file = new Blob(['\uFEFFOrt;Stufe;intern\n"48, 16";planned;x\n\n48, 17;"a ""b""\n"\n']);
  const names: Record<string, string> = { Ort: 'center', Stufe: 'token' };
  expect(await (await withColumns(file, 'csv', false, (name) => names[name])).text()).toBe(
    '"center","token"\n"48, 16","planned"\n\n"48, 17","a ""b""\n"\n',
  );
});

it('returns the rejected rows with the reasons', async () => {
  const file = new Blob(['center,token\n"48, 16",a\n"48,\n17",b\n"49, 17",c\n']);
  const faults = [
    { line: 3, column: 'token', detail: 'is none' },
    { line: 3, column: 'center', detail: 'is far' },
    { line: 5, detail: 'twice' },
  ];
  expect(await (await refusedRows(file, 'csv', false, faults)).text()).toBe(
    '"center","token","reason"\r\n"48,\n17","b","token: is none; center: is far"\r\n"49, 17","c","twice"\r\n',
  );
});
