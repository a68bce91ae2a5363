import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@fibre/testing/processes';
import { fibre as run, settings } from './command.js';
import { documentedCommands, FIBRE_IN_SHELL } from '../package/documented.js';
import { client } from '../stack.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fibre-billing-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** In a command's output, matches the instants up to which recorded events are included. */
const RECORDED = /(?<=recorded until )\S+/g;
/** Replaces what differs between runs: event ids and instants. */
const always = (line: string): string => line.replace(RECORDED, 'then').replace(/(?<=recorded {2})\S+/, 'id');

/** Waits until billing includes the events recorded so far. */
async function settle(): Promise<void> {
  const now = Date.now();
  const { periods } = client();
  await until('settled events', async () => {
    const { recordedUntil } = await periods.list({ from: '2024-12-01', to: '2024-12-02' });
    return Date.parse(recordedUntil!) > now;
  });
}

it('the commands in docs/billing.md work as written', async () => {
  const commands = await documentedCommands('docs/billing.md');
  expect(commands).toHaveLength(10);
  let shell = FIBRE_IN_SHELL;
  let invoiced = '';
  for (const { command, said } of commands) {
    if (command.startsWith('export ')) {
      shell += command.startsWith('export INVOICED=') ? `export INVOICED=${invoiced}\n` : command;
      // Use the services of this test instead of those that npm start runs.
      for (const [name, value] of Object.entries(settings())) shell += `export ${name}=${value}\n`;
      continue;
    }
    await settle();
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `set -e\n${shell}${command}`], { cwd: folder });
    const lines = `${stdout.replaceAll('\r', '')}${stderr}`.split('\n').filter(Boolean).sort();
    const then = stderr.match(RECORDED)?.[0];
    if (command.includes('> january.csv')) invoiced = then!;
    const isSilent = !said.includes('fibre: ') && then !== undefined;
    const expected = [...said.split('\n').filter(Boolean), ...(isSilent ? [`fibre: as recorded until ${then}`] : [])].sort();
    expect([command, lines.map(always)]).toEqual([command, expected.map(always)]);
  }
});

it('a window needs an end, but a month does not', async () => {
  const fibre = (...args: string[]) => run(args, settings());
  expect(await fibre('periods', '--from', '2026-01-01')).toMatchObject({ code: 2, stderr: expect.stringContaining('--to is missing') });
  expect(await fibre('periods', '--from', '2025-12', '--to', '2027-12')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('400 days'),
  });
  const december = await fibre('periods', '--from', '2024-12', '--format', 'ndjson');
  expect(december).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/^fibre: as recorded until \S+\n$/) });
  expect(await fibre('corrections', '--from', '2024-12')).toMatchObject({ code: 2, stderr: expect.stringContaining('--recorded-from') });
  const corrections = await fibre('corrections', '--from', '2024-12', '--recorded-from', '2025-01-01T00:00:00Z', '--json');
  const settled = /^fibre: no corrections, as recorded until \S+; events recorded after that are not settled yet\n$/;
  expect(corrections).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(settled) });
  const known = await fibre(
    'corrections',
    '--from',
    '2024-12',
    '--recorded-from',
    '2025-01-01T00:00:00Z',
    '--recorded-until',
    '2025-01-02T00:00:00Z',
  );
  expect(known.stderr).toMatch(/^fibre: no corrections, as recorded until 2025-01-02T\S+\n$/);
});
