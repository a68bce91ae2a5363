import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '@fibre/embedded-postgres';

const ROOT_PREFIX = 'open-access-fibre-test-';

/** Test data need not outlive the machine. */
const FAST_NOT_SAFE = { fsync: false, synchronous_commit: false, full_page_writes: false, max_connections: 200 };

/** A server for tests. */
export interface TestPostgres {
  /** Of a database that tests leave alone; its user may create databases. */
  url: string;
  /** Stops the server and removes its data, when it is ours. */
  stop(): Promise<void>;
}

/** The server of `DATABASE_URL` when that is set, else a fast throw-away server below the temporary directory. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  await removeLeftOvers();
  const root = path.join(os.tmpdir(), `${ROOT_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  const server = await startEmbeddedPostgres({ root, database: 'maintenance', settings: FAST_NOT_SAFE });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      remove(root, server.dataDir);
    },
  };
}

/** A test run that was killed leaves its server running; its process id is in the name. */
async function removeLeftOvers(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(ROOT_PREFIX))) {
    const root = path.join(os.tmpdir(), name);
    const owner = fs.statSync(root, { throwIfNoEntry: false })?.uid;
    if (owner !== process.getuid?.() || isAlive(Number(name.slice(ROOT_PREFIX.length).split('-')[0]))) continue;
    remove(root, await stopEmbeddedPostgres(root));
  }
}

function remove(root: string, dataDir = root): void {
  for (const directory of [dataDir, root]) fs.rmSync(directory, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
