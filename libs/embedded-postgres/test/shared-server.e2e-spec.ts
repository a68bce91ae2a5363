import { once } from 'node:events';
import { findServer } from '../src/server-process.js';
import { query, ServerFolder, serverPid } from './server-folder.js';

let folder: ServerFolder;

beforeEach(() => void (folder = new ServerFolder()));
afterEach(() => folder.remove());

test('a server whose starter was killed is adopted and then stopped', async () => {
  const { child, ...first } = await folder.startInAnotherProcess();
  const pid = serverPid(first.dataDir);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(serverPid(first.dataDir)).toBe(pid);

  const second = await folder.start();
  expect(second).toMatchObject({ adopted: true, port: first.port, url: first.url });
  await second.stop();
  expect(findServer(first.dataDir)).toBeUndefined();
});

test('of several starters at once one starts the server, the others share it, the last to stop ends it', async () => {
  const [a, b] = await Promise.all([folder.startInAnotherProcess(), folder.startInAnotherProcess()]);
  expect([a.adopted, b.adopted].sort()).toEqual([false, true]);
  expect(a.url).toBe(b.url);
  const here = await folder.start();
  expect(here.adopted).toBe(true);

  for (const { child } of [a, b]) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await expect(query(here.url, 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
  await here.stop();
  expect(findServer(here.dataDir)).toBeUndefined();
});
