import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasLibreOffice, type ShownCell, shownByLibreOffice, until } from '@fibre/testing/processes';
import { type BillingFile, type BillingRow, billingSheet, correctionRows, stepRows } from '../../src/index.js';
import { client } from '../stack.js';
import { fibre, settings } from './command.js';

const itInLibreOffice = hasLibreOffice ? it : it.skip;

/** A month of its own, with a day of 23 hours. */
const WINDOW = { from: '2025-03-01', to: '2025-04-01' };
const PARTNER = crypto.randomUUID();
const ISP = 'Straße & Söhne „Netz“';
const LINES = [
  { entity_id: crypto.randomUUID(), reference: '00123', article: '=1+1' },
  { entity_id: crypto.randomUUID(), reference: '1E5', article: '10.000' },
  { entity_id: crypto.randomUUID(), reference: '_x0041_ 1/2', article: '-5' },
];

let folder: string;
let closing: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fibre-spreadsheets-'));
  const { isps, events, closings, periods } = client();
  await isps.put(PARTNER, { name: ISP, isp_tenant: 'isp.demo' });
  const settled = (isSettled: (days: number) => boolean) =>
    until('settled events', async () => {
      const { items } = await periods.totals({ ...WINDOW, partner_id: PARTNER });
      return isSettled(items.reduce((sum, { days }) => sum + days, 0));
    });
  for (const { entity_id, reference, article } of LINES)
    await events.put({
      entity_id,
      event_type: 'activation',
      event_at: '2025-02-10T00:00:00+01:00',
      sys_attributes: { partner_id: PARTNER, article_codes: [article, 'Ä;"B"'], partner_reference: reference, option82: '000' },
    });
  await settled((days) => days === 6 * 31);
  ({ closing_id: closing } = await closings.create({ ...WINDOW, partner_id: PARTNER }));
  // The first line ends on the day of 23 hours, at half past three.
  await events.put({ entity_id: LINES[0]!.entity_id, event_type: 'deactivation', event_at: '2025-03-30T03:30:00+02:00' });
  await settled((days) => days < 6 * 31);
});
afterAll(() => rm(folder, { recursive: true }));

/** Saves what the portal saves for an ISP. */
async function saveCharges(file: BillingFile, rows: Iterable<BillingRow>): Promise<string> {
  const name = join(folder, `charges-${file}.xlsx`);
  const sheet = await billingSheet(file, rows, { party: 'tenant', timezone: 'Europe/Vienna', language: 'de' });
  await writeFile(name, Buffer.from(await new Response(sheet).arrayBuffer()));
  return name;
}

async function saved(command: string, ...args: string[]): Promise<string> {
  const name = join(folder, `${command}.xlsx`);
  const { code, stderr } = await fibre([command, '-o', name, ...args], settings());
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^fibre: as recorded until \S+\n$/) });
  return name;
}

const text = (one: string): ShownCell => ({ text: one });
const value = (one: string): ShownCell => ({ value: one });
const sum = (rows: ShownCell[][], column: number): number =>
  rows.slice(1).reduce((total, row) => total + Number((row[column] as { value: string } | undefined)?.value.replace(',', '.') ?? 0), 0);

itInLibreOffice.each([
  ['en-US', '.'],
  ['de-AT', ','],
] as const)(
  'LibreOffice with the settings %s shows numbers, dates and texts as they are (needs libreoffice-calc)',
  async (locale, point) => {
    const { charges } = client('isp-demo');
    const all = { ...WINDOW, tenant: 'ano.demo', _page_size: 2_000 };
    const [steps, totals] = [await charges.list(all), await charges.totals(all)];
    const since = await client().closings.read(closing);
    const corrected = await charges.corrections({ ...all, recorded_from: since.recorded_until });
    const files = await shownByLibreOffice(
      [
        await saved('periods', '--from', '2025-03', '--partner', PARTNER),
        await saved('totals', '--closing', closing),
        await saved('corrections', '--closing', closing),
        await saveCharges('steps', steps.items.flatMap(stepRows)),
        await saveCharges('totals', totals.items),
        await saveCharges(
          'corrections',
          corrected.items.flatMap((item) => correctionRows(item, 'Europe/Vienna')),
        ),
      ],
      locale,
    );
    const [ofSteps, ofTotals, ofCorrections, ofCharges, ofChargedTotals, ofChargedCorrections] = files;

    const HEAD = ['Entity', 'ISP (partner_id)', 'ISP', "ISP's reference", 'Article', 'From', 'To (exclusive)'];
    expect(ofSteps![0]).toEqual([...HEAD, 'Option 82', 'Begun by event', 'Begun by', 'Ended by event', 'Ended by', 'Runs on'].map(text));
    const NONE = Array<undefined>(4).fill(undefined);
    const month = [value('2025-03-01 00:00:00'), value('2025-04-01 00:00:00')];
    for (const { entity_id, reference, article } of LINES.slice(1))
      expect(ofSteps).toContainEqual([
        ...[entity_id, PARTNER, ISP, reference, article].map(text),
        ...month,
        text('000'),
        ...NONE,
        expect.objectContaining({ value: expect.stringMatching(/TRUE|WAHR/) }),
      ]);
    const [{ entity_id, reference, article }] = LINES as [(typeof LINES)[0]];
    const ended = ofSteps!.find((row) => (row[0] as { text: string }).text === entity_id && (row[4] as { text: string }).text === article);
    expect(ended!.slice(3, 8)).toEqual([text(reference), text(article), month[0], value('2025-03-30 03:30:00'), text('000')]);

    expect(ofTotals![0]).toEqual(
      ['ISP (partner_id)', 'ISP', 'Article', 'Entities', 'Days', 'Started', 'Added', 'Removed', 'Ended'].map(text),
    );
    expect(ofTotals).toContainEqual([
      text(PARTNER),
      text(ISP),
      text('=1+1'),
      value('1'),
      value(`31${point}00`),
      ...['0', '0', '0', '0'].map(value),
    ]);
    expect(sum(ofTotals!, 4)).toBe(6 * 31);

    expect(ofCorrections![0]).toEqual([...HEAD, 'Begun by', 'Ended by', 'Days to credit', 'Days to charge'].map(text));
    const codes = ['=1+1', 'Ä;"B"'].map(text);
    expect(ofCorrections!.slice(1).map((row) => row.slice(4))).toEqual([
      ...codes.map((code) => [code, ...month, undefined, undefined, value('31'), undefined]),
      ...codes.map((code) => [
        code,
        month[0],
        value('2025-03-30 03:30:00'),
        undefined,
        text('deactivation'),
        undefined,
        value(`29${point}11`),
      ]),
    ]);

    expect(ofCharges![0]!.slice(0, 4)).toEqual(['Anschluss', 'Netzbetreiber', 'Referenz des ISP', 'Artikel'].map(text));
    expect(ofCharges!.length).toBe(1 + steps.items.length * 2);
    expect(ofCharges).toContainEqual([
      ...[LINES[1]!.entity_id, 'ano.demo', '1E5', '10.000'].map(text),
      ...month,
      text('000'),
      ...NONE,
      expect.anything(),
    ]);
    expect(sum(ofChargedTotals!, 3)).toBeCloseTo(
      totals.items.reduce((days, total) => days + total.days, 0),
      8,
    );
    expect(ofChargedTotals![0]).toEqual(
      ['Netzbetreiber', 'Artikel', 'Anschlüsse', 'Tage', 'Begonnen', 'Dazugekommen', 'Weggefallen', 'Beendet'].map(text),
    );
    expect(ofChargedCorrections!.map((row) => row.slice(3).filter(Boolean).length)).toEqual([7, 4, 4, 5, 5]);
  },
);

it('the name of the file or --format asks for a spreadsheet', async () => {
  const { code, stdout } = await fibre(['totals', '--from', '2025-03', '--format', 'xlsx'], settings());
  expect([code, stdout.slice(0, 2)]).toEqual([0, 'PK']);
  const csv = await fibre(['corrections', '--closing', closing, '-o', join(folder, 'corrections.csv')], settings());
  expect(csv).toMatchObject({ code: 2, stderr: expect.stringContaining('use --format xlsx') });
  const nodes = await fibre(['export', '-o', join(folder, 'nodes.xlsx')], settings());
  expect(nodes).toMatchObject({ code: 1, stderr: expect.stringContaining('format') });
});
