import { inflateRawSync } from 'node:zlib';
import { volume } from '@fibre/testing/volume';
import { Temporal } from 'temporal-polyfill';
import { TooManyRowsError } from '../errors.js';
import { atMost, type Cell, MAX_SHEET_ROWS, type SheetColumn, spreadsheet } from './spreadsheet.js';

type Row = readonly Cell[];
const columnsOf = (...kinds: SheetColumn<Row>['kind'][]): SheetColumn<Row>[] =>
  kinds.map((kind, index) => ({ heading: `${kind} ${index}`, kind, cell: (row) => row[index] }));
const bytesOf = async (kinds: SheetColumn<Row>['kind'][], rows: AsyncIterable<Row> | Iterable<Row>, timezone = 'Europe/Vienna') =>
  Buffer.from(await new Response(await spreadsheet('Sheet', columnsOf(...kinds), rows, timezone)).arrayBuffer());
const sheetOf = async (...args: Parameters<typeof bytesOf>): Promise<string> => partOf(await bytesOf(...args), 'xl/worksheets/sheet1.xml');
const cellsOf = (sheet: string): string[] => sheet.match(/<c .*?(?:\/>|<\/c>)/gs) ?? [];

/** A part of a ZIP archive, found by the directory at its end. */
function partOf(archive: Buffer, name: string): string {
  let at = archive.readUInt32LE(archive.length - 6);
  for (; archive.readUInt32LE(at) === 0x02014b50; at += 46 + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30)) {
    if (archive.toString('utf8', at + 46, at + 46 + archive.readUInt16LE(at + 28)) !== name) continue;
    const header = archive.readUInt32LE(at + 42);
    const begin = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    return inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(at + 20))).toString();
  }
  throw new Error(`no ${name}`);
}

test('texts stay texts, numbers are numbers, and what is absent has no cell', async () => {
  const sheet = await sheetOf(
    ['text', 'number', 'days', 'text'],
    [
      ['00123', 7, 1 / 3, '=1+1'],
      ['', undefined, 0, undefined],
      [undefined, true, 2, '1e5'],
    ],
  );
  expect(cellsOf(sheet).slice(4)).toEqual([
    '<c r="A2" t="inlineStr"><is><t>00123</t></is></c>',
    '<c r="B2"><v>7</v></c>',
    '<c r="C2" s="1"><v>0.3333333333333333</v></c>',
    '<c r="D2" t="inlineStr"><is><t>=1+1</t></is></c>',
    '<c r="C3" s="1"><v>0</v></c>',
    '<c r="B4" t="b"><v>1</v></c>',
    '<c r="C4" s="1"><v>2</v></c>',
    '<c r="D4" t="inlineStr"><is><t>1e5</t></is></c>',
  ]);
});

test('the row of headings is frozen, and dates show the time', async () => {
  const file = await bytesOf(['time'], [['2026-01-31T23:00:00.000+00:00']]);
  expect(partOf(file, 'xl/worksheets/sheet1.xml')).toContain('<pane ySplit="1" topLeftCell="A2" state="frozen"');
  expect(partOf(file, 'xl/styles.xml')).toContain('formatCode="yyyy-mm-dd hh:mm:ss"');
});

test('text that a reader would take for an escape is escaped, and a line break is one character', async () => {
  const sheet = await sheetOf(['text'], [['_x0041_'], ['a\r\nb\rc\nd'], ['_x_x41_'], ['\u0001 & <b>']]);
  expect(cellsOf(sheet).map((cell) => />([^<]*)<\/t>/.exec(cell)![1])).toEqual([
    'text 0',
    '_x005F_x0041_',
    'a\nb\nc\nd',
    '_x_x41_',
    '_x0001_ &amp; &lt;b&gt;',
  ]);
});

/** The hours around the days on which clocks are set, and some others. */
const INSTANTS = ['2024-12-31T23:00', '2025-03-30T01:00', '2025-10-26T01:00', '2026-03-08T07:00', '2026-07-01T00:00'].flatMap((time) =>
  Array.from({ length: 49 }, (_, hour) => Date.parse(`${time}Z`) + (hour - 24) * 3_600_000 - (hour % 2)),
);

test.each(['Europe/Vienna', 'UTC', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
  'instants are what the clocks of %s show',
  async (zone) => {
    const shuffled = INSTANTS.toSorted((a, b) => (a % 7) - (b % 7));
    const sheet = await sheetOf(
      ['time'],
      shuffled.map((instant) => [new Date(instant).toISOString()]),
      zone,
    );
    const shown = [...sheet.matchAll(/<v>(.*?)<\/v>/g)].map(([, serial]) => Math.round((Number(serial) - 25_569) * 86_400_000));
    const local = shuffled.map((instant) => {
      const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDateTime();
      return Date.parse(`${time.toString()}Z`);
    });
    expect(shown).toEqual(local);
  },
);

test('if the rows fail, the file has no end and fails too', async () => {
  const failure = new Error('the response broke off');
  async function* rows() {
    for (let row = 0; row < 10_000; row++) yield [`row ${row}`];
    await Promise.resolve();
    throw failure;
  }
  await expect(bytesOf(['text'], rows())).rejects.toBe(failure);
});

test('whoever stops reading stops the rows', async () => {
  let hasEnded = false;
  async function* rows() {
    try {
      for (;;) yield await Promise.resolve([crypto.randomUUID()]);
    } finally {
      hasEnded = true;
    }
  }
  const reader = (await spreadsheet('Sheet', columnsOf('text'), rows(), 'UTC')).getReader();
  for (let chunk = 0; chunk < 3; chunk++) await reader.read();
  await reader.cancel();
  expect(hasEnded).toBe(true);
});

test('too many rows are refused with a way out', async () => {
  const rows: number[] = [];
  const counted = async (): Promise<void> => {
    for await (const row of atMost(2, [1, 2, 3])) rows.push(row);
  };
  const refusal = await counted().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(TooManyRowsError);
  expect((refusal as Error).message).toBe('A spreadsheet holds 1,048,576 rows with the headings, and these are more: use CSV');
  expect(rows).toEqual([1, 2]);
});

volume(test.skip, test)('a sheet holds as many rows as Excel reads, and not one more', async () => {
  function* rows(count: number) {
    for (let row = 0; row < count; row++) yield [row];
  }
  const sheet = await sheetOf(['number'], rows(MAX_SHEET_ROWS - 1));
  expect(sheet.endsWith('<c r="A1048576"><v>1048574</v></c></row></sheetData></worksheet>')).toBe(true);
  await expect(bytesOf(['number'], rows(MAX_SHEET_ROWS))).rejects.toThrow(TooManyRowsError);
});
