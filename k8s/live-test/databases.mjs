// A database for each service that is there before the service and after it, with the schema as a deployment makes it.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DATA_DIR, folderOf } from './backends.mjs';
import { FROM_SOURCES } from './program.mjs';

/**
 * Both on one server, until the end of `test`.
 *
 * @param names of the services
 * @returns URLs by the same names
 */
export async function startDatabases(test, names) {
  const server = fork(join(import.meta.dirname, 'database-server.mjs'), [join(DATA_DIR, 'postgres'), ...names], {
    cwd: folderOf(names[0]),
    execArgv: FROM_SOURCES,
  });
  const gone = once(server, 'exit');
  test.after(async () => {
    if (server.connected) server.disconnect();
    await gone;
  });
  const [urls] = await Promise.race([once(server, 'message'), gone]);
  if (!Array.isArray(urls)) throw new Error('the embedded PostgreSQL did not start');
  return new Map(names.map((name, index) => [name, urls[index]]));
}

/** What the chart's Job does before the replicas of a version are started. */
export const migrate = (name, settings, databaseUrl) => run(['dist/migrate.js'], name, settings, databaseUrl);

/** What that Job does when the version after this one is installed. */
export const migrateToNext = (name, settings, databaseUrl) =>
  run([...FROM_SOURCES, join(import.meta.dirname, 'next-migration.mjs')], name, settings, databaseUrl);

/** @returns what it printed */
async function run(args, name, settings, databaseUrl) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...settings, DATABASE_URL: databaseUrl };
  return (await promisify(execFile)(process.execPath, args, { cwd: folderOf(name), env })).stdout;
}
