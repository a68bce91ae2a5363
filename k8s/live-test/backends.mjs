// An issuer, the built services and their databases. Each is stopped at the end of the test that started it.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@fibre/embedded-postgres';
import { createDatabase, databaseUrl, dropDatabase } from '@fibre/testing/databases';
import { freePort, FROM_SOURCES, Program, ServiceProcess, startTcpRelay, startTestIssuer } from '@fibre/testing/processes';

export const HOST = '127.0.0.1';
const SCOPES = 'coverage:read coverage:write coverage:search events:read events:write events:erase charges:read';
const WORKSPACE = join(import.meta.dirname, '../..');
/** Data of the database server, which all tests in a file share because creating one takes time. */
const DATA_DIR = mkdtempSync(join(tmpdir(), 'fibre-live-test-'));
// As root, this runs PostgreSQL as `nobody`; without access to this folder, its data would be in /var/lib, where nothing removes it.
chmodSync(DATA_DIR, 0o755);
after(() => rmSync(DATA_DIR, { recursive: true }));

/** Starts a program, waits until it is ready, and stops it at the end of `test`. */
export const start = (test, options) => untilEnd(test, new Program({ name: options.command ?? options.args.at(-1), ...options }));

function untilEnd(test, program) {
  test.after(() => program.stop());
  return program.ready();
}

/** Starts a relay that runs until the end of `test`; see `startTcpRelay`. */
export async function startRelay(test, target) {
  const relay = await startTcpRelay(target);
  test.after(relay.cut);
  return relay;
}

/** An issuer that runs until the end of `test`. */
export async function startIssuer(test) {
  const issuer = await startTestIssuer();
  test.after(issuer.close);
  return issuer;
}

/** @returns a token with every scope */
export const token = (issuer) => issuer.token({ scope: SCOPES });

/**
 * Starts each service with the chart's settings, except those that depend on the machine.
 *
 * @param settings environment of each service, keyed by the name of its Kubernetes Service
 * @returns ports, keyed by the same names
 */
export async function startServices(test, issuer, settings) {
  const own = { NODE_ENV: 'development', DATA_DIR, OAUTH_ISSUER: issuer.url, SHUTDOWN_DELAY_SECONDS: '0' };
  const started = [...settings].map(async ([name, rendered]) => [name, (await startReplica(test, name, { ...rendered, ...own })).port]);
  return new Map(await Promise.all(started));
}

/**
 * Starts one replica of a service as deployed, from the output of `npm run build`.
 *
 * @param name a name that ends with the name of the service
 */
export async function startReplica(test, name, settings) {
  const port = await freePort();
  const { PATH, HOME } = process.env;
  // A temporary directory replaces the chart's volume.
  const environment = { PATH, HOME, ...settings, SPOOL_DIR: tmpdir() };
  const service = new ServiceProcess(serviceOf(name), port, environment, { args: ['dist/main.js'] });
  return { program: await untilEnd(test, service), port };
}

const serviceOf = (name) => /(coverage|event)-service$/.exec(name)[0];

/** A database for each service, all on one server. @returns URLs, keyed by the same names */
export async function startDatabases(test, names) {
  const server = await startEmbeddedPostgres({ root: join(DATA_DIR, 'postgres'), database: 'postgres' });
  test.after(() => server.stop());
  for (const name of names) {
    await dropDatabase(server.url, name);
    await createDatabase(server.url, name);
  }
  return new Map(names.map((name) => [name, databaseUrl(server.url, name)]));
}

/** Migrates as the chart's Job does, before the replicas of a version start. */
export const migrate = (name, settings, databaseUrl) => run(['dist/migrate.js'], name, settings, databaseUrl);

/** Migrates to the next version, as its Job would. */
export const migrateToNext = (name, settings, databaseUrl) =>
  run([...FROM_SOURCES, join(import.meta.dirname, 'next-migration.mjs')], name, settings, databaseUrl);

/** @returns the output of the program */
async function run(args, name, settings, databaseUrl) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...settings, DATABASE_URL: databaseUrl };
  return (await promisify(execFile)(process.execPath, args, { cwd: join(WORKSPACE, 'apps', serviceOf(name)), env })).stdout;
}
