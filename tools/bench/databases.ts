import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres, withClient } from '@fibre/embedded-postgres';
import { loadOnce } from './load-once.js';
import { BENCH_DIR, migrate, schemaOf, type ServiceOptions } from './service.js';
import type { Dataset } from './dataset.js';

export interface Database {
  url: string;
  /** Rows of its large table. */
  records: number;
}

/** Of the server of every bench. */
export const databaseSettings = (sharedBuffers: string): Record<string, string> => ({
  shared_buffers: sharedBuffers,
  max_wal_size: '4GB',
  random_page_cost: '1.1',
});

/** One server for all sides, so that its settings are the same for them. */
export const startDatabaseServer = (service: string, sharedBuffers: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ root: join(BENCH_DIR, service), database: 'bench', settings: databaseSettings(sharedBuffers) });

/** Makes the database of a dataset unless a former run has. A schema that has changed since gets another one. */
export async function prepareDatabase(
  serverUrl: string,
  dataset: Dataset,
  on: (databaseUrl: string) => ServiceOptions,
  create: (serverUrl: string, name: string) => Promise<void> = createPlainDatabase,
): Promise<Database> {
  const options = on(serverUrl);
  const name = `${dataset.name}_${schemaOf(options)}`;
  const found = await withClient(serverUrl, (client) => client.query('select 1 from pg_database where datname = $1', [name]));
  if (found.rowCount === 0) await create(serverUrl, name);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrate(on(url.href));
  await withClient(url.href, (client) => loadOnce(client, dataset));
  return { url: url.href, records: dataset.records };
}

async function createPlainDatabase(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query(`create database ${name}`));
}

/** Reads all files of a database, so that the system has them in memory, as of one in use: which run loaded them makes no difference then. */
export async function readFiles(service: string, { url }: Database): Promise<void> {
  const oid = await withClient(url, async (client) => {
    const { rows } = await client.query<{ oid: string }>('select oid::text from pg_database where datname = current_database()');
    return rows[0]!.oid;
  });
  const folder = join(BENCH_DIR, service, 'pgdata/base', oid);
  const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
  for (const file of readdirSync(folder)) await pipeline(createReadStream(join(folder, file), { highWaterMark: 1024 ** 2 }), nowhere());
}

export const versionOf = (serverUrl: string): Promise<string> =>
  withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]!.server_version;
  });
