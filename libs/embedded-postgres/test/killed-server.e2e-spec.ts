import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { query, ServerFolder, serverPid } from './server-folder.js';

let folder: ServerFolder;

beforeEach(() => void (folder = new ServerFolder()));
afterEach(() => folder.remove());

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process was a helper of the server and had already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Writes rows until the server is gone. @returns the ids of the acknowledged rows */
async function writeUntilGone(url: string, after1000: () => void): Promise<number[]> {
  await query(url, 'create table written (id int primary key)');
  const acknowledged: number[] = [];
  const writers = [0, 1, 2, 3].map((writer) =>
    withClient(url, async (client) => {
      for (let id = writer; ; id += 4) {
        await client.query('insert into written values ($1)', [id]);
        acknowledged.push(id);
        if (acknowledged.length === 1000) after1000();
      }
    }),
  );
  const ends = await Promise.allSettled(writers);
  expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  return acknowledged;
}

async function missing(url: string, acknowledged: number[]): Promise<number[]> {
  const found = new Set((await query<{ id: number }>(url, 'select id from written')).map(({ id }) => id));
  return acknowledged.filter((id) => !found.has(id));
}

test('a server killed during writes has every acknowledged row after a restart', async () => {
  const server = await folder.start();
  const processes = [
    serverPid(server.dataDir),
    ...(await query<{ pid: number }>(server.url, 'select pid from pg_stat_activity')).map(({ pid }) => pid),
  ];
  const acknowledged = await writeUntilGone(server.url, () => processes.forEach(kill));
  const again = await folder.start();
  expect(await missing(again.url, acknowledged)).toEqual([]);
  await again.stop();
});

test('a server whose main process was killed restarts, even while its other processes are still running', async () => {
  const server = await folder.start();
  const busy = query(`${server.url}?statement_timeout=2000`, 'do $$ begin loop end loop; end $$').catch(() => undefined);
  while ((await query(server.url, `select from pg_stat_activity where state = 'active' and query like 'do %'`)).length === 0);
  process.kill(serverPid(server.dataDir), 'SIGKILL');
  const again = await folder.start();
  await expect(query(again.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await busy;
  await again.stop();
  expect(fs.readFileSync(path.join(folder.root, 'postgres.log'), 'utf8')).toContain('pre-existing shared memory block');
});

test('a server left behind by a killed owner restarts with every acknowledged row', async () => {
  const { child: owner, ...server } = await folder.startInAnotherProcess();
  const left = serverPid(server.dataDir);
  let again: Promise<{ url: string; dataDir: string; stop: () => Promise<void> }> | undefined;
  const acknowledged = await writeUntilGone(server.url, () => {
    again = once(owner, 'exit').then(() => folder.start());
    owner.kill('SIGKILL');
  });
  const { url, dataDir, stop } = await again!;
  expect(serverPid(dataDir)).not.toBe(left);
  expect(await missing(url, acknowledged)).toEqual([]);
  await stop();
});

test('a folder has one owner: another process is rejected until the owner has stopped its server', async () => {
  const { child: owner, ...server } = await folder.startInAnotherProcess();
  await query(server.url, 'create table kept (id int)');
  await expect(folder.start()).rejects.toThrow(`process ${owner.pid} uses the database in ${folder.root}`);
  await expect(query(server.url, 'select * from kept')).resolves.toEqual([]);
  owner.kill('SIGTERM');
  await once(owner, 'exit');
  const next = await folder.start();
  await expect(query(next.url, 'select * from kept')).resolves.toEqual([]);
  await next.stop();
});
