import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres, stopEmbeddedPostgres } from '@fibre/embedded-postgres';
import { query, removeRoot, temporaryRoot } from './temporary-root.js';

type Started = Pick<EmbeddedPostgres, 'url' | 'port' | 'dataDir' | 'adopted'>;

const here = import.meta.dirname;
let root: string;
const children: ChildProcess[] = [];

beforeEach(() => void (root = temporaryRoot()));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  removeRoot(root, await stopEmbeddedPostgres(root));
});

function start(onExit?: (reason: string) => void): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ root, database: 'fibre', onExit });
}

async function startInAnotherProcess(): Promise<Started & { child: ChildProcess }> {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--no-warnings', '--import', '@swc-node/register/esm-register', path.join(here, 'start-server.ts'), root],
    { cwd: path.dirname(here), env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { ...(JSON.parse(line) as Started), child };
}

function serverPid(dataDir: string): number {
  return Number(fs.readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

function withChildren(pid: number): number[] {
  const table = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.trim().split('\n');
  const pairs = table.map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child]) => child ?? 0)];
}

test('a first start makes the database, a second one keeps the data', async () => {
  const first = await start();
  await query(first.url, 'create table kept (id int)');
  await first.stop();
  expect(fs.existsSync(path.join(first.dataDir, 'postmaster.pid'))).toBe(false);

  const second = await start();
  expect(second).toMatchObject({ adopted: false, dataDir: first.dataDir });
  await expect(query(second.url, 'select * from kept')).resolves.toEqual([]);
  await second.stop();
});

test('the server speaks UTC, listens on the loopback address alone and asks for a password', async () => {
  const server = await start();
  const [row] = await query(server.url, `select current_setting('listen_addresses') as address, current_setting('timezone') as zone`);
  expect(row).toEqual({ address: '127.0.0.1', zone: 'UTC' });
  const url = new URL(server.url);
  url.password = 'guessed';
  await expect(query(url.href, 'select')).rejects.toMatchObject({ code: '28P01' });
  await server.stop();
});

test('settings reach the server', async () => {
  const server = await startEmbeddedPostgres({ root, database: 'fibre', settings: { max_connections: 17, fsync: false } });
  const [row] = await query(server.url, `select current_setting('max_connections') as connections, current_setting('fsync') as fsync`);
  expect(row).toEqual({ connections: '17', fsync: 'off' });
  await server.stop();
});

test('every acknowledged row survives kill -9 of the server in the middle of writes', async () => {
  let tell: (reason: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => (tell = resolve));
  const first = await start((reason) => tell(reason));
  await query(first.url, 'create table written (id int primary key)');
  const acknowledged: number[] = [];
  const writers = [0, 1, 2, 3].map(async (writer) => {
    const client = new pg.Client({ connectionString: first.url });
    client.on('error', () => undefined);
    await client.connect();
    for (let id = writer; ; id += 4) {
      await client.query('insert into written values ($1)', [id]);
      acknowledged.push(id);
      if (acknowledged.length === 1000) withChildren(serverPid(first.dataDir)).forEach((pid) => process.kill(pid, 'SIGKILL'));
    }
  });
  const ends = await Promise.allSettled(writers);
  expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  // Its connections may be known to be gone before it is.
  await expect(ended).resolves.toContain('postgres ended (SIGKILL)');

  const second = await start();
  const rows = await query<{ id: number }>(second.url, 'select id from written');
  const found = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  await second.stop();
});

test('a server whose main process alone was killed starts again, whatever its other processes still do', async () => {
  const first = await start();
  const busy = query(`${first.url}?statement_timeout=2000`, 'do $$ begin loop end loop; end $$').catch(() => undefined);
  while ((await query(first.url, `select from pg_stat_activity where state = 'active' and query like 'do %'`)).length === 0);
  process.kill(serverPid(first.dataDir), 'SIGKILL');
  const second = await start();
  await expect(query(second.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await busy;
  await second.stop();
  expect(fs.readFileSync(path.join(root, 'postgres.log'), 'utf8')).toContain('pre-existing shared memory block');
});

test('a server whose starter was killed is adopted and then stopped', async () => {
  const { child, ...first } = await startInAnotherProcess();
  const pid = serverPid(first.dataDir);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(pid)).toBe(true);

  const second = await start();
  expect(second).toMatchObject({ adopted: true, port: first.port, url: first.url });
  await second.stop();
  expect(isAlive(pid)).toBe(false);
});

test('of several starters at once one starts the server, the others share it, the last to stop ends it', async () => {
  const [a, b] = await Promise.all([startInAnotherProcess(), startInAnotherProcess()]);
  expect([a.adopted, b.adopted].sort()).toEqual([false, true]);
  expect(a.url).toBe(b.url);
  const here = await start();
  expect(here.adopted).toBe(true);

  const pid = serverPid(here.dataDir);
  for (const { child } of [a, b]) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await expect(query(here.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await here.stop();
  expect(isAlive(pid)).toBe(false);
});

test('an interrupted initdb is started over', async () => {
  const first = await start();
  await first.stop();
  fs.rmSync(path.join(root, 'initdb-complete'));
  fs.rmSync(path.join(first.dataDir, 'global'), { recursive: true });
  const second = await start();
  await expect(query(second.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await second.stop();
});

test('a lock and a process id left by the dead do not keep the server from starting', async () => {
  const first = await start();
  await first.stop();
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  fs.writeFileSync(path.join(root, 'start.lock'), String(dead));
  // What a power cut leaves when the next boot gives the process id to somebody else: here to us.
  fs.writeFileSync(
    path.join(first.dataDir, 'postmaster.pid'),
    `${process.ppid}\n${first.dataDir}\n1\n5432\n\n127.0.0.1\n  1 1\nready   \n`,
  );
  const second = await start();
  expect(second.adopted).toBe(false);
  await second.stop();
});

test('data of another major version is refused', async () => {
  const first = await start();
  await first.stop();
  fs.writeFileSync(path.join(first.dataDir, 'PG_VERSION'), '14\n');
  await expect(start()).rejects.toThrow('was made by PostgreSQL 14');
});

test('a platform without binaries is told to set DATABASE_URL', async () => {
  const { arch } = process;
  Object.defineProperty(process, 'arch', { value: 'mips' });
  try {
    await expect(start()).rejects.toThrow(/no embedded PostgreSQL for \w+-mips .*: set DATABASE_URL/);
  } finally {
    Object.defineProperty(process, 'arch', { value: arch });
  }
});

test('a server that cannot start says why', async () => {
  await expect(startEmbeddedPostgres({ root, database: 'fibre', settings: { no_such_setting: 1 } })).rejects.toThrow('no_such_setting');
});
