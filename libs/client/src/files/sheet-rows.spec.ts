import { sheetRows } from './sheet-rows.js';
import { spreadsheet } from './spreadsheet.js';

const bytes = async (rows: (string | number | undefined)[][]) =>
  new Uint8Array(
    await new Response(
      await spreadsheet(
        'Sheet',
        rows[0]!.map((_, index) => ({
          heading: `c${index}`,
          kind: 'text' as const,
          cell: (row: (string | number | undefined)[]) => row[index],
        })),
        rows,
        'UTC',
      ),
    ).arrayBuffer(),
  );

test('texts stay texts, numbers have a point, and a line break does not begin a row', async () => {
  expect(
    await sheetRows(
      await bytes([
        ['00123', 48.4401],
        [undefined, 'a\nb'],
      ]),
    ),
  ).toEqual([
    { line: 1, cells: ['c0', 'c1'] },
    { line: 2, cells: ['00123', '48.4401'] },
    { line: 3, cells: ['', 'a b'] },
  ]);
});

test('dates are as the services read them', async () => {
  const columns = [{ heading: 'at', kind: 'time' as const, cell: (row: string) => row }];
  const file = await spreadsheet('Sheet', columns, ['2027-03-01T00:00:00Z', '2027-03-01T12:30:00Z'], 'UTC');
  expect((await sheetRows(new Uint8Array(await new Response(file).arrayBuffer()))).map(({ cells }) => cells[0])).toEqual([
    'at',
    '2027-03-01',
    '2027-03-01T12:30:00',
  ]);
});

test('what is no spreadsheet is said to be none', async () => {
  await expect(sheetRows(Uint8Array.of(1, 2, 3))).rejects.toThrow('The file is not a spreadsheet in the format .xlsx');
});
