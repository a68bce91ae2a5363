import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import { answer, query, ServerFolder, serverPid } from './server-folder.js';

let folder: ServerFolder;

beforeEach(() => void (folder = new ServerFolder()));
afterEach(() => folder.remove());

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // One of the server's helpers that was done.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test('a server that is killed in the middle of writes runs again by itself, with every acknowledged row', async () => {
  const lines: string[] = [];
  const server = await folder.start({ log: (line) => lines.push(line) });
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
  const server = await folder.start();
  const busy = query(`${server.url}?statement_timeout=2000`, 'do $$ begin loop end loop; end $$').catch(() => undefined);
  while ((await query(server.url, `select from pg_stat_activity where state = 'active' and query like 'do %'`)).length === 0);
  process.kill(serverPid(server.dataDir), 'SIGKILL');
  await expect(answer(server.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await busy;
  await server.stop();
  expect(fs.readFileSync(path.join(folder.root, 'postgres.log'), 'utf8')).toContain('pre-existing shared memory block');
});

test('a killed server that several processes use is started again by one of them, also when its starter is dead', async () => {
  const { child: starter } = await folder.startInAnotherProcess();
  const server = await folder.start();
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
