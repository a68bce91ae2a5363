import { chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  createDatabaseStatement,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findServer,
  recordCluster,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  temporaryRoot,
  withClient,
} from '@fibre/embedded-postgres';
import type pg from 'pg';
import { until } from '../until.js';
import { databaseUrl } from './server-client.js';

/** Commits wait for the log as in production, but tests do not need the log to be safe on disk. */
const SETTINGS = {
  fsync: false,
  full_page_writes: false,
  wal_keep_size: '1GB',
  wal_retrieve_retry_interval: '100ms',
  max_connections: 200,
};
/** A server creates these files itself when it starts, and pg_basebackup omits them too; the log arrives by streaming. */
const NOT_COPIED = /^(postmaster\.(pid|opts)|(pg_(dynshmem|notify|replslot|serial|snapshots|stat_tmp|subtrans|wal))[\\/].*|.*pgsql_tmp.*)$/;

/** A server that a test can kill and restart; it ends with this process. */
export class MortalPostgres {
  private constructor(
    private readonly options: EmbeddedPostgresOptions,
    private server: EmbeddedPostgres,
  ) {}

  static async start(root: string, settings: EmbeddedPostgresOptions['settings'], port?: number): Promise<MortalPostgres> {
    const options = { root, settings, database: 'postgres' };
    const server = await startEmbeddedPostgres({ ...options, port });
    return new MortalPostgres({ ...options, port: server.port }, server);
  }

  get dataDir(): string {
    return this.server.dataDir;
  }

  get port(): number {
    return this.server.port;
  }

  url(database: string): string {
    return databaseUrl(this.server.url, database);
  }

  async start(): Promise<void> {
    this.server = await startEmbeddedPostgres(this.options);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Kills the server, as if its machine had failed. */
  async kill(): Promise<void> {
    process.kill(findServer(this.dataDir)!.pid, 'SIGKILL');
    await until('the killed server to be gone', () => !findServer(this.dataDir));
    await this.stop();
  }

  async createDatabase(name: string): Promise<void> {
    await this.query('postgres', createDatabaseStatement(name));
  }

  /** Runs one statement on its own connection. */
  query<Row extends pg.QueryResultRow>(database: string, text: string): Promise<Row[]> {
    return withClient(this.url(database), async (client) => (await client.query<Row>(text)).rows);
  }

  async remove(): Promise<void> {
    await this.stop();
    await removeEmbeddedPostgres(this.options.root);
  }
}

/** A primary and its streaming replica, with an empty database. */
export class ReplicatedPostgres {
  private constructor(
    readonly database: string,
    readonly primary: MortalPostgres,
    public standby: MortalPostgres,
  ) {}

  static async start(database: string): Promise<ReplicatedPostgres> {
    const root = await temporaryRoot();
    mkdirSync(root, { mode: 0o755 });
    const primary = await MortalPostgres.start(root, SETTINGS);
    await primary.createDatabase(database);
    return new ReplicatedPostgres(database, primary, await startStandby(primary));
  }

  get primaryUrl(): string {
    return this.primary.url(this.database);
  }

  get standbyUrl(): string {
    return this.standby.url(this.database);
  }

  /** Replaces the standby with a new one on the same port, because a promoted server has a different history. */
  async renewStandby(): Promise<void> {
    await this.standby.remove();
    this.standby = await startStandby(this.primary, this.standby.port);
  }

  async close(): Promise<void> {
    // In this order, because a primary that shuts down waits for its standby.
    await this.standby.remove();
    await this.primary.remove();
  }
}

/** Copies a running server and starts the copy as its standby; the binaries do not include pg_basebackup. */
async function startStandby(primary: MortalPostgres, port?: number): Promise<MortalPostgres> {
  const root = await temporaryRoot();
  const dataDir = join(root, 'pgdata');
  mkdirSync(root, { mode: 0o755 });
  await withClient(primary.url('postgres'), async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    await cp(primary.dataDir, dataDir, { recursive: true, filter: (file) => !NOT_COPIED.test(relative(primary.dataDir, file)) });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(dataDir, 'backup_label'), rows[0]!.labelfile);
  });
  writeFileSync(join(dataDir, 'standby.signal'), '');
  const { uid, gid } = statSync(primary.dataDir);
  for (const file of ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]) chownSync(join(dataDir, file), uid, gid);
  const password = decodeURIComponent(new URL(primary.url('postgres')).password);
  recordCluster(root, password);
  const connection = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`;
  return MortalPostgres.start(root, { ...SETTINGS, primary_conninfo: connection }, port).catch(async (error: unknown) => {
    await removeEmbeddedPostgres(root);
    throw error;
  });
}
