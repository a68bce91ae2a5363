import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@fibre/testing/processes';
import { fibre as run, settings } from './command.js';
import { documentedCommands, FIBRE_IN_SHELL } from '../package/documented.js';
import { type Closing } from '../../src/index.js';
import { client, WORKSPACE } from '../stack.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fibre-billing-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** In a command's output, matches the instants up to which recorded events are included. */
const RECORDED = /(?<=recorded until )\S+/g;
/** Ids that the service makes: UUIDv7 of the time of the run. */
const MADE_ID = /\b01a[0-9a-f]{5}-[0-9a-f]{4}-7[0-9a-f-]{21}\b/g;
/** Instants other than midnight in Vienna, with which windows begin. */
const INSTANT = /\d{4}-\d\d-\d\dT(?!23:00:00\.000)[0-9:.]+\+00:00/g;
/** Replaces what differs between runs. */
const always = (line: string): string => line.replace(MADE_ID, 'id').replace(INSTANT, 'then');

/** Waits until billing includes the events recorded so far. */
async function settle(): Promise<void> {
  const now = Date.now();
  const { periods } = client();
  await until('settled events', async () => {
    const { recordedUntil } = await periods.list({ from: '2024-12-01', to: '2024-12-02' });
    return Date.parse(recordedUntil!) > now;
  });
}

/** `npm ci` leaves DuckDB out; CI installs it. Without it, the files that it makes are missing. */
const hasDuckDb = existsSync(join(WORKSPACE, 'extra/node_modules'));
const NEEDS_DUCKDB = /^(node extra|for system|cat (amounts|invoices)|head|tail)\b/;

it('the commands in docs/billing.md work as written', async () => {
  const commands = await documentedCommands('docs/billing.md');
  expect(commands).toHaveLength(31);
  for (const name of ['extra', 'docs']) await symlink(join(WORKSPACE, name), join(folder, name));
  let shell = FIBRE_IN_SHELL;
  let closing = '';
  for (const { command, said } of commands) {
    if (command.startsWith('export ')) {
      shell += command.startsWith('export CLOSING=') ? `export CLOSING=${closing}\n` : `${command}\n`;
      // Use the services of this test instead of those that npm start runs.
      for (const [name, value] of Object.entries({ ...settings(), FIBRE_NAMESPACE: 'billing' })) shell += `export ${name}=${value}\n`;
      continue;
    }
    if (NEEDS_DUCKDB.test(command) && !hasDuckDb) continue;
    if (command.startsWith('fibre ')) await settle();
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `set -e\n${shell}${command}`], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: undefined },
    });
    const lines = `${stdout.replaceAll('\r', '')}${stderr}`.split('\n').filter(Boolean).sort();
    const then = stderr.match(RECORDED)?.[0];
    if (command.startsWith('fibre close')) closing = stdout.match(MADE_ID)![0];
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
  expect(await fibre('totals')).toMatchObject({ code: 2, stderr: expect.stringContaining('--from or --closing') });
  expect(await fibre('close', '--month', 'May')).toMatchObject({ code: 2, stderr: expect.stringContaining('--month') });
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

it('a month can be closed again, and a retry with the same key closes it once', async () => {
  const fibre = (...args: string[]) => run([...args, '--namespace', 'closings'], settings());
  const close = async (...args: string[]) => JSON.parse((await fibre('close', '--month', '2024-11', '--json', ...args)).stdout) as Closing;
  const first = await close('--idempotency-key', 'one', '--timezone', 'UTC', '--reference', 'r', '--comment', 'c');
  expect(first).toMatchObject({ from: '2024-11-01T00:00:00.000+00:00', to: '2024-12-01T00:00:00.000+00:00', reference: 'r', comment: 'c' });
  expect(await close('--idempotency-key', 'one', '--timezone', 'UTC', '--reference', 'r', '--comment', 'c')).toEqual(first);
  const second = await close('--timezone', 'UTC');
  expect(second.previous_closing_id).toBe(first.closing_id);
  const between = await fibre('corrections', '--closing', first.closing_id, '--until-closing', second.closing_id);
  expect(between).toMatchObject({ code: 0, stderr: expect.stringMatching(/^fibre: no corrections, as recorded until \S+\n$/) });
  const totals = await fibre('totals', '--closing', first.closing_id, '--format', 'csv');
  expect(totals).toMatchObject({ code: 0, stdout: 'partner_id,article_code,entities,days,started,added,removed,ended\r\n' });
  expect((await fibre('periods', '--closing', first.closing_id, '--from', '2024-11')).stderr).toContain('422');
});
