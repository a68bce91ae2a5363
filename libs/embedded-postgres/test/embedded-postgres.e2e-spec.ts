import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres, withClient } from '@fibre/embedded-postgres';
import { findServer } from '../src/server-process.js';

type Started = Pick<EmbeddedPostgres, 'url' | 'port' | 'dataDir' | 'adopted'>;

const here = import.meta.dirname;
let root: string;
const children: ChildProcess[] = [];

beforeEach(() => void (root = path.join(os.tmpdir(), `fibre-embedded-${randomUUID()}`)));
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await removeEmbeddedPostgres(root);
});

function start(log?: (line: string) => void): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ root, database: 'fibre', log });
}

const query = <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(text)).rows);

/** The answer of a server that is gone for a moment. */
async function answer<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  for (;;) {
    try {
      return await query<Row>(url, text);
    } catch {
      await sleep(50);
    }
  }
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

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // One of the server's helpers that was done.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const serverPid = (dataDir: string): number => findServer(dataDir)!.pid;

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

test('a server that is killed in the middle of writes runs again by itself, with every acknowledged row', async () => {
  const lines: string[] = [];
  const server = await start((line) => lines.push(line));
  await query(server.url, 'create table written (id int primary key)');
  const processes = [
    serverPid(server.dataDir),
    ...(await query<{ pid: number }>(server.url, 'select pid from pg_stat_activity')).map(({ pid }) => pid),
  ];
  const acknowledged: number[] = [];
  const writers = [0, 1, 2, 3].map((writer) =>
    withClient(server.url, async (client) => {
      for (let id = writer; ; id += 4) {
        await client.query('insert into written values ($1)', [id]);
        acknowledged.push(id);
        if (acknowledged.length === 1000) for (const pid of processes) kill(pid);
      }
    }),
  );
  const ends = await Promise.allSettled(writers);
  expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));

  const found = new Set((await answer<{ id: number }>(server.url, 'select id from written')).map(({ id }) => id));
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  await server.stop();
  expect(lines).toEqual([expect.stringContaining(`runs again on port ${server.port}`)]);
});

test('a server whose main process alone was killed runs again, whatever its other processes still do', async () => {
  const server = await start();
  const busy = query(`${server.url}?statement_timeout=2000`, 'do $$ begin loop end loop; end $$').catch(() => undefined);
  while ((await query(server.url, `select from pg_stat_activity where state = 'active' and query like 'do %'`)).length === 0);
  process.kill(serverPid(server.dataDir), 'SIGKILL');
  await expect(answer(server.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await busy;
  await server.stop();
  expect(fs.readFileSync(path.join(root, 'postgres.log'), 'utf8')).toContain('pre-existing shared memory block');
});

test('a killed server that several processes use is started again by one of them, also when its starter is dead', async () => {
  const { child: starter } = await startInAnotherProcess();
  const server = await start();
  expect(server.adopted).toBe(true);
  await query(server.url, 'create table kept (id int)');

  const first = serverPid(server.dataDir);
  process.kill(first, 'SIGKILL');
  await expect(answer(server.url, 'select * from kept')).resolves.toEqual([]);

  starter.kill('SIGKILL');
  await once(starter, 'exit');
  const second = serverPid(server.dataDir);
  process.kill(second, 'SIGKILL');
  await expect(answer(server.url, 'select * from kept')).resolves.toEqual([]);
  expect(new Set([first, second, serverPid(server.dataDir)]).size).toBe(3);
  await server.stop();
});

test('a server whose starter was killed is adopted and then stopped', async () => {
  const { child, ...first } = await startInAnotherProcess();
  const pid = serverPid(first.dataDir);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(serverPid(first.dataDir)).toBe(pid);

  const second = await start();
  expect(second).toMatchObject({ adopted: true, port: first.port, url: first.url });
  await second.stop();
  expect(findServer(first.dataDir)).toBeUndefined();
});

test('of several starters at once one starts the server, the others share it, the last to stop ends it', async () => {
  const [a, b] = await Promise.all([startInAnotherProcess(), startInAnotherProcess()]);
  expect([a.adopted, b.adopted].sort()).toEqual([false, true]);
  expect(a.url).toBe(b.url);
  const here = await start();
  expect(here.adopted).toBe(true);

  for (const { child } of [a, b]) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await expect(query(here.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await here.stop();
  expect(findServer(here.dataDir)).toBeUndefined();
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

test('a folder that this user may not write to is said to be that, with the way to another one', async () => {
  fs.mkdirSync(root, { mode: 0o500 });
  // Root may write everywhere, unless it acts for somebody else.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody');
  try {
    await expect(start()).rejects.toThrow(
      `${root} cannot be written to: this user has no permission. To keep the data in another folder: DATA_DIR=`,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
