import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { query, ServerFolder } from './server-folder.js';

/** The tests share it, because it takes longer to create a database than to start a server. */
const folder = new ServerFolder();

afterAll(() => folder.remove());

test('the first start creates the database, the second keeps its data', async () => {
  const first = await folder.start();
  await query(first.url, 'create table kept (id int)');
  await first.stop();
  expect(fs.existsSync(path.join(first.dataDir, 'postmaster.pid'))).toBe(false);

  const second = await folder.start();
  expect(second.dataDir).toBe(first.dataDir);
  await expect(query(second.url, 'select * from kept')).resolves.toEqual([]);
  await second.stop();
});

test('the server uses UTC, listens only on loopback and requires a password', async () => {
  const server = await folder.start();
  const [row] = await query(server.url, `select current_setting('listen_addresses') as address, current_setting('timezone') as zone`);
  expect(row).toEqual({ address: '127.0.0.1', zone: 'UTC' });
  const url = new URL(server.url);
  url.password = 'guessed';
  await expect(query(url.href, 'select')).rejects.toMatchObject({ code: '28P01' });
  await server.stop();
});

test('settings reach the server', async () => {
  const server = await folder.start({ settings: { max_connections: 17, fsync: false } });
  const [row] = await query(server.url, `select current_setting('max_connections') as connections, current_setting('fsync') as fsync`);
  expect(row).toEqual({ connections: '17', fsync: 'off' });
  await server.stop();
});

test('an interrupted initdb starts over', async () => {
  const first = await folder.start();
  await first.stop();
  fs.rmSync(path.join(folder.root, 'initdb-complete'));
  fs.rmSync(path.join(first.dataDir, 'global'), { recursive: true });
  const second = await folder.start();
  await expect(query(second.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await second.stop();
});

test('stale process ids do not prevent the server from starting', async () => {
  const first = await folder.start();
  await first.stop();
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  fs.writeFileSync(path.join(folder.root, 'owner'), String(dead));
  // The state after a power cut, if another program has the server's process id after the reboot.
  fs.writeFileSync(
    path.join(first.dataDir, 'postmaster.pid'),
    `${process.ppid}\n${first.dataDir}\n1\n5432\n\n127.0.0.1\n  1 1\nready   \n`,
  );
  const second = await folder.start();
  await second.stop();
});

test('a server that cannot start says why', async () => {
  await expect(folder.start({ settings: { no_such_setting: 1 } })).rejects.toThrow('no_such_setting');
});

test('data of another major version is rejected', async () => {
  const first = await folder.start();
  await first.stop();
  fs.writeFileSync(path.join(first.dataDir, 'PG_VERSION'), '14\n');
  await expect(folder.start()).rejects.toThrow('was made by PostgreSQL 14');
});

test('on a platform without binaries, the error suggests setting DATABASE_URL', async () => {
  const { arch } = process;
  Object.defineProperty(process, 'arch', { value: 'mips' });
  try {
    await expect(folder.start()).rejects.toThrow(/no embedded PostgreSQL for \w+-mips .*: set DATABASE_URL/);
  } finally {
    Object.defineProperty(process, 'arch', { value: arch });
  }
});
