import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startTemporaryPostgres, withClient } from '@fibre/embedded-postgres';
import { FROM_SOURCES, until } from '@fibre/testing/processes';
import type { AccessNode, NodeChange } from '../src/index.js';
import { fibre as run, settings } from './command-line/command.js';
import { client, stack, WORKSPACE } from './stack.js';

const OTHER = 'ano-other';
const environment = settings(stack, OTHER);
let server: EmbeddedPostgres;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fibre-changes-'));
  server = await startTemporaryPostgres({ database: 'copy', settings: { fsync: false } });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

const relation_id = '0192d3a5-7c10-7e8b-a2c6-000000000042';
const newNode = (center: string) => ({ relation_id, token: 'operation' as const, center });

/** A record in a copy, which also contains nodes created by other spec files. */
type Copied = Record<string, string>;

/** The first program in docs/changes.md in this language. */
async function programIn(language: string): Promise<string> {
  const page = await readFile(join(WORKSPACE, 'docs/changes.md'), 'utf8');
  const [, program] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)!;
  expect(program!.split('\n').length).toBeLessThanOrEqual(37);
  return program!;
}

const PROGRAMS = {
  ts: {
    start: (program: string, env: NodeJS.ProcessEnv) =>
      spawn(process.execPath, [...FROM_SOURCES, '--input-type=module', '-e', program], { cwd: join(WORKSPACE, 'libs/client'), env }),
    copied: () =>
      withClient(server.url, async (client) =>
        (await client.query<{ record: Copied }>('select record from node order by node_id')).rows.map(({ record }) => record),
      ),
  },
  python: {
    start: (program: string, env: NodeJS.ProcessEnv) => spawn('python3', ['-c', program], { cwd: folder, env }),
    copied: async () => {
      const read = `import sqlite3; print("[" + ",".join(r for (r,) in sqlite3.connect("coverage.db").execute("select record from node order by node_id")) + "]")`;
      const { stdout } = await promisify(execFile)('python3', ['-c', read], { cwd: folder });
      return JSON.parse(stdout) as Copied[];
    },
  },
};
/** What the search shows of a node. */
const publicOf = ({ customer_reference: _reference, created_by: _creator, modified_by: _changer, ...node }: AccessNode): object => node;
const isThere = (name: string): boolean => name === 'ts' || spawnSync('python3', ['--version']).status === 0;

for (const [language, { start, copied }] of Object.entries(PROGRAMS))
  (isThere(language) ? it : it.skip)(`the program in docs/changes.md in ${language} keeps a copy, even after a kill`, async () => {
    const program = await programIn(language);
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ...environment, DATABASE_URL: server.url };
    const { nodes } = client(OTHER).coverage;
    const here = async (): Promise<object[]> => {
      const all: object[] = [];
      for await (const node of nodes.list({ relation_id })) all.push(publicOf(node));
      return all;
    };
    let child: ChildProcess | undefined;
    let said = '';
    const follow = async (): Promise<void> => {
      child = start(program, env);
      child.stderr!.on('data', (text) => (said += text));
      await until(`the copy of ${language}`, async () => {
        if (child!.exitCode !== null) throw new Error(said);
        const ours = (await copied().catch(() => [])).filter((record) => record.relation_id === relation_id);
        return JSON.stringify(sorted(ours)) === JSON.stringify(sorted(await here()));
      });
      child.kill('SIGKILL');
    };
    try {
      const [one, two] = [await nodes.create(newNode('48.1, 16.1')), await nodes.create(newNode('48.2, 16.2'))];
      await follow();
      expect(await copied()).toContainEqual(publicOf(one));
      await nodes.update(one.node_id, { status: 'suspended' });
      await nodes.delete(two.node_id);
      await nodes.create(newNode('48.3, 16.3'));
      await follow();
      expect(JSON.stringify(await copied())).not.toContain(two.node_id);
    } finally {
      child?.kill('SIGKILL');
    }
  });

/** JSONB orders members differently. */
const sorted = (records: object[]) => records.map((record) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

it('a loop over changes leaves a place to continue from, and the signal ends the wait', async () => {
  const { nodes } = client(OTHER).coverage;
  const query = { relation_id: '0192d3a5-7c10-7e8b-a2c6-000000000043', _page_size: 1 };
  const create = (center: string) => nodes.create({ ...newNode(center), relation_id: query.relation_id });
  const [one, two] = [await create('48, 16'), await create('48, 17')];
  const leaving = new AbortController();
  const changes = nodes.changes(query, { pauseMs: 100, signal: leaving.signal });
  const seen: NodeChange[] = [];
  for await (const change of changes) {
    seen.push(change);
    if (seen.length === 2) break;
  }
  expect(seen.map(({ node }) => node.node_id)).toEqual([one.node_id, two.node_id]);

  const again: string[] = [];
  const rest = nodes.changes(query, { from: changes.place, follow: false });
  for await (const { node } of rest) again.push(node.node_id);
  // The loop stopped in the middle of the page, so the last change is returned again.
  expect(again).toEqual([two.node_id]);
  await nodes.delete(two.node_id);
  const waiting = nodes.changes(query, { from: rest.place, pauseMs: 100, signal: leaving.signal });
  for await (const { change, node } of waiting) {
    expect([change, node.node_id]).toEqual(['deleted', two.node_id]);
    setTimeout(() => leaving.abort(new Error('enough')), 300);
    break;
  }
  const idle = nodes.changes({ ...query, since: '2099-01-01T00:00:00Z' }, { pauseMs: 60_000, signal: leaving.signal });
  await expect(idle.pages().next()).rejects.toThrow('enough');
});

it('fibre changes prints what has changed, says where to continue, and follows until it is interrupted', async () => {
  const fibre = (...args: string[]) => run(['changes', ...args], environment);
  const { nodes } = client(OTHER).coverage;
  const { node_id } = await nodes.create({ ...newNode('48, 16'), relation_id: '0192d3a5-7c10-7e8b-a2c6-000000000044' });
  let out = '';
  await until('the node', async () => {
    const ran = await fibre('nodes', '--json', '--relation-id', '0192d3a5-7c10-7e8b-a2c6-000000000044');
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^fibre: continue with --from [\w-]{56}\n$/) });
    out = `${ran.stdout}${ran.stderr}`;
    return ran.stdout !== '';
  });
  expect(JSON.parse(out.split('\n')[0]!)).toMatchObject({ change: 'upserted', node: { node_id } });
  const place = /--from (\S+)/.exec(out)![1]!;
  expect(await fibre('nodes', '--relation-id', '0192d3a5-7c10-7e8b-a2c6-000000000044', '--from', place)).toMatchObject({
    code: 0,
    stdout: '',
  });
  expect(await fibre('search', '--from', place)).toMatchObject({ code: 1, stderr: expect.stringContaining('another listing') });
  expect((await fibre('events')).code).toBe(0);
  expect((await fibre('prenodes')).code).toBe(2);
});
