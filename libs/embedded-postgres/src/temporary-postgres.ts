import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded-postgres.js';
import { type EmbeddedPostgresOptions } from './options.js';
import { isAlive } from './server/server-process.js';

const PREFIX = 'open-access-fibre-test-';

/** Starts a server for a test in a folder below the temporary directory; `stop()` also removes the folder. */
export async function startTemporaryPostgres(options: Omit<EmbeddedPostgresOptions, 'root'>): Promise<EmbeddedPostgres> {
  const root = await temporaryRoot();
  const server = await startEmbeddedPostgres({ ...options, root });
  const stop = async (): Promise<void> => {
    await server.stop();
    await removeEmbeddedPostgres(root);
  };
  return { ...server, stop };
}

/** A directory for a server, removed by {@link removeEmbeddedPostgres}, or by the next test run if this one is killed. */
export async function temporaryRoot(): Promise<string> {
  await removeLeftOvers();
  return path.join(os.tmpdir(), `${PREFIX}${process.pid}-${randomUUID()}`);
}

/** Stops the server of `root`, whoever owns it, and removes it with its data. */
export async function removeEmbeddedPostgres(root: string): Promise<void> {
  const dataDir = await stopEmbeddedPostgres(root);
  for (const directory of [dataDir, root]) if (directory !== undefined) fs.rmSync(directory, { recursive: true, force: true });
}

/** A killed test run leaves its server running; the directory's name contains its process id. */
async function removeLeftOvers(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const root = path.join(os.tmpdir(), name);
    const owner = fs.statSync(root, { throwIfNoEntry: false })?.uid;
    if (owner !== process.getuid?.() || isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue;
    await removeEmbeddedPostgres(root);
  }
}
