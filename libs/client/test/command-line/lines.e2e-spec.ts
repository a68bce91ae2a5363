import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasLibreOffice, shownByLibreOffice } from '@fibre/testing/processes';
import { type Line, type LineChange } from '../../src/index.js';
import { client } from '../stack.js';
import { fibre as run, settings } from './command.js';

let folder: string;
let partner_id: string;
const [first, second] = [randomUUID(), randomUUID()].sort() as [string, string];
const fibre = (...args: string[]) => run(['lines', ...args], settings(undefined, 'isp-demo'));

/** Two lines of one circuit, one after the other. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fibre-lines-'));
  const { isps, events } = client('ano-other');
  ({ partner_id } = await isps.create({ name: 'Lines', isp_tenant: 'isp.demo' }));
  const circuit = { option82: 'OLT1 0/1', partner_reference: 'K-1' };
  for (const [entity_id, day] of [
    [first, 1],
    [second, 3],
  ] as const) {
    const event_at = (of: number) => `2026-01-0${of}T12:00:00+01:00`;
    const sys_attributes = { partner_id, article_codes: ['FIBRE-100'], ...circuit };
    await events.put({ entity_id, event_type: 'activation', event_at: event_at(day), sys_attributes });
    if (entity_id === first) await events.put({ entity_id, event_type: 'deactivation', event_at: event_at(day + 1) });
  }
});
afterAll(async () => {
  // The ISP is in use, but its tenant is free again.
  await client('ano-other').isps.put(partner_id, { name: 'Lines' });
  await rm(folder, { recursive: true });
});

it('lines at an instant, by circuit, as a table, as JSON and as a file', async () => {
  const at = ['--at', '2026-01-01T13:00:00+01:00', '--option82', 'OLT1 0/1'];
  const table = await fibre(...at);
  expect(table).toMatchObject({ code: 0, stderr: 'fibre: as of 2026-01-01T12:00:00.000+00:00\n' });
  expect(table.stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['tenant', 'entity_id', 'since', 'article_codes', 'option82', 'partner_reference'],
    ['ano.other', first, '2026-01-01T11:00:00.000+00:00', '["FIBRE-100"]', 'OLT1 0/1', 'K-1'],
    [''],
  ]);
  expect((await fibre('--at', '2026-01-02T13:00:00+01:00', '--partner-reference', 'K-1')).stdout).toBe('');
  const now = await fibre('--partner-reference', 'K-1', '--tenant', 'ano.other', '--json');
  expect((JSON.parse(now.stdout) as Line).entity_id).toBe(second);
  const file = join(folder, 'lines.ndjson');
  expect(await fibre('--entity-id', second, '-o', file)).toMatchObject({ code: 0, stderr: expect.stringMatching(/^fibre: as of \S+\n/) });
  expect(await readFile(file, 'utf8')).toBe(now.stdout);
  const csv = await fibre('--option82', 'OLT1 0/1', '--format', 'csv');
  const sheet = join(folder, 'lines.xlsx');
  expect(await fibre('--option82', 'OLT1 0/1', '-o', sheet)).toMatchObject({ code: 0 });
  if (hasLibreOffice) {
    const [rows] = await shownByLibreOffice([sheet], 'en-US');
    expect(rows!.map((row) => row.slice(0, 4).map((cell) => (cell as { text: string }).text))).toEqual([
      ['Entity', 'Operator', "ISP's reference", 'Option 82'],
      [second, 'ano.other', 'K-1', 'OLT1 0/1'],
    ]);
    expect(rows![1]![5]).toEqual({ text: 'FIBRE-100' });
  }
  expect(csv.stdout.split('\r\n').map((line) => line.split(',')[2])).toEqual(['entity_id', second, undefined]);
});

it('changes to lines', async () => {
  const changes = () => run(['changes', 'lines', '--since', '2026-01-01T00:00:00Z', '--json'], settings(undefined, 'isp-demo'));
  let items: LineChange[] = [];
  // Until both are settled.
  while (items.length < 2)
    items = (await changes()).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LineChange)
      // Other tests have lines too.
      .filter(({ line }) => line.tenant === 'ano.other');
  expect(items.map(({ change, line }) => [change, line.entity_id])).toEqual([
    ['ended', first],
    ['upserted', second],
  ]);
});

it('an instant that is not settled is rejected', async () => {
  const later = await fibre('--at', new Date(Date.now() + 60_000).toISOString());
  expect(later).toMatchObject({ code: 1, stderr: expect.stringContaining('settled instant') });
});
