import { join } from 'node:path';
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

export const versionOf = (serverUrl: string): Promise<string> =>
  withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]!.server_version;
  });
