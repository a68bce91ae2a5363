import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { createDatabaseStatement, startEmbeddedPostgres, withClient } from '@fibre/embedded-postgres';
import { databaseUrl } from '@fibre/testing/databases';
import { type Program, type ServiceProcess, startTestIssuer, type TestIssuer } from '@fibre/testing/processes';
import type pg from 'pg';
import { BENCH_DIR, build, folderOf, migrate, type ServiceName, startService } from './service.js';
import { WORKSPACE } from '../../workspace.js';

/** The contents of a database, loaded once and kept for later runs. */
export interface Dataset {
  service: ServiceName;
  /** Prefix of the database names. It must change whenever the generated data changes, or earlier data is reused. */
  name: string;
  /** Number of rows in the first table. */
  records: number;
  tables: readonly [large: string, ...others: string[]];
  fill: (client: pg.Client) => Promise<void>;
}

/** An issuer, a database server, and built services that are started on them. */
export interface Stage {
  issuer: TestIssuer;
  /** URL of the database server. */
  postgres: string;
  /** Stops a program at the end. */
  keep: <P extends Program>(program: P) => P;
  start: (
    service: ServiceName,
    databaseUrl: string,
    flags?: readonly string[],
    env?: NodeJS.ProcessEnv,
    checkout?: string,
  ) => Promise<ServiceProcess>;
}

/** Builds the services, in another checkout too if one is given, and stops everything in the end. */
export async function onStage(services: readonly ServiceName[], work: (stage: Stage) => Promise<void>, other?: string): Promise<void> {
  // `process.exit` runs the exit handlers, which stop the database and the services.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  await build(services);
  if (other) await build(services, other);
  const issuer = await startTestIssuer();
  const postgres = await startDatabaseServer();
  const kept: Program[] = [];
  const keep: Stage['keep'] = (program) => (kept.push(program), program);
  const start: Stage['start'] = async (service, url, ...how) => keep(await startService(service, url, issuer.url, ...how));
  try {
    await work({ issuer, postgres: postgres.url, keep, start });
  } finally {
    await Promise.all(kept.map((program) => program.stop()));
    await issuer.close();
    await postgres.stop();
  }
}

/** The server at DATABASE_URL, or an embedded one with the settings recommended by PostgreSQL's documentation. */
async function startDatabaseServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: () => Promise.resolve() };
  const settings = { shared_buffers: `${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`, max_wal_size: '4GB', random_page_cost: '1.1' };
  return startEmbeddedPostgres({ root: join(BENCH_DIR, 'postgres'), database: 'bench', settings });
}

/** Copies the loaded dataset, so that each run starts with the same data, in the schema of a checkout. @returns the copy's URL */
export async function prepareDatabase(serverUrl: string, dataset: Dataset, checkout = WORKSPACE): Promise<string> {
  const { service } = dataset;
  const name = checkout === WORKSPACE ? dataset.name : `other_${dataset.name}`;
  process.stdout.write(`preparing ${name}\n`);
  const [original, copy] = [`${name}_${schemaOf(service, checkout)}`, `${name}_run`];
  await withClient(serverUrl, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [original]);
    if (found.rowCount === 0) {
      const loading = `${name}_loading`;
      // Those with an earlier schema, which would otherwise fill the disk, and what a run that was stopped has left.
      const { rows } = await client.query<{ datname: string }>(`select datname from pg_database where starts_with(datname, '${name}_')`);
      for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
      await client.query(createDatabaseStatement(loading));
      await migrate(service, databaseUrl(serverUrl, loading), checkout);
      await withClient(databaseUrl(serverUrl, loading), (loader) => load(loader, dataset));
      await client.query(`alter database ${loading} rename to ${original}`);
    }
    await client.query(`drop database if exists ${copy} with (force)`);
    await client.query(`create database ${copy} template ${original} strategy file_copy`);
  });
  return databaseUrl(serverUrl, copy);
}

/** A hash of everything that defines the schema; if the schema changes, the data is loaded again. */
function schemaOf(service: ServiceName, checkout: string): string {
  const hash = createHash('sha256');
  const folder = join(folderOf(service, checkout), 'dist');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^schema|migrations.*|event-functions.*)\.js$/.test(file),
  );
  for (const file of files.sort()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 8);
}

/** Building indexes and checking keys for the whole table at once is much faster than doing so row by row. */
async function load(client: pg.Client, { tables, fill }: Dataset): Promise<void> {
  const [table] = tables;
  const { rows: constraints } = await client.query<{ name: string; definition: string }>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype in ('p', 'u', 'f') order by array_position('{p,u,f}', contype::text)`,
    [table],
  );
  for (const { name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    'select indexname as name, indexdef as definition from pg_indexes where tablename = $1',
    [table],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query('begin');
  await fill(client);
  await client.query('commit');
  // Without statistics, the check of a foreign key compares every row with every other row.
  await client.query(`analyze ${tables.join()}`);
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { name, definition } of constraints) await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query(`vacuum (analyze) ${tables.join()}`);
  await client.query('checkpoint');
}
