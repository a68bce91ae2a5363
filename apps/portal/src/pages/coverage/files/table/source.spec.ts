import { sourceOf } from './source.js';

const chosen = async (name: string, ...parts: (string | number[])[]) =>
  sourceOf(
    new File(
      parts.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part))),
      name,
    ),
  );
const textOf = async (...file: Parameters<typeof chosen>) => (await chosen(...file))?.file.text();

it('reads what Windows saved, and shows words by which a person sees it', async () => {
  const file = [0x4d, 0xfc, 0x68, 0x6c, 0x67, 0x61, 0x73, 0x73, 0x65] as number[];
  const source = await chosen('a.csv', 'Ort;Zahl\r\n', file, ' 2;7\r\n');
  expect(source).toMatchObject({ format: 'csv', reread: 'Mühlgasse 2' });
  expect(await source!.file.text()).toBe('Ort;Zahl\r\nMühlgasse 2;7\r\n');
});

it('leaves UTF-8 alone, also if it has a fault', async () => {
  expect(await chosen('a.csv', 'Mühlgasse')).not.toHaveProperty('reread');
  expect(await chosen('a.csv', 'Mühlgasse', [0xfc], '\n')).not.toHaveProperty('reread');
  // A byte that Windows does not know.
  expect(await chosen('a.csv', 'a', [0x81], '\n')).not.toHaveProperty('reread');
});

it('reads UTF-16, as Excel saves a Unicode text', async () => {
  const utf16 = [...Buffer.from('Ort\tZahl\r\nMühlgasse\t2\r\n', 'utf16le')];
  expect(await textOf('a.tsv', [0xff, 0xfe], utf16)).toBe('Ort\tZahl\r\nMühlgasse\t2\r\n');
});

it('looks into a file whose name says nothing', async () => {
  expect(await chosen('a.txt', 'Ort\tZahl\n')).toMatchObject({ format: 'tsv' });
  expect(await chosen('a.txt', 'Ort;Zahl\n')).toMatchObject({ format: 'csv' });
  expect(await chosen('a.txt', '{"type":"FeatureCollection"}')).toMatchObject({ format: 'geojson' });
  expect(await chosen('a.txt', '{"token":"planned"}')).toMatchObject({ format: 'ndjson' });
  expect(await chosen('a.pdf', '%PDF')).toBeUndefined();
});

it('says what to do with archives and old spreadsheets', async () => {
  await expect(chosen('a.zip', [0x50, 0x4b, 3, 4])).rejects.toMatchObject({ problem: { detail: 'The file is a ZIP archive.' } });
  await expect(chosen('a.xls', [0xd0, 0xcf, 0x11, 0xe0])).rejects.toMatchObject({
    problem: { hint: 'Save it as .xlsx, without a password.' },
  });
  await expect(chosen('a.xlsx', 'no')).rejects.toMatchObject({
    problem: { detail: expect.stringContaining('is not a spreadsheet') as string },
  });
});
