import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PostgresOptions } from './connection/data-source.js';
import { isDatabaseUnavailable } from './connection/database-errors.js';
import { migrate } from './migrate/migrate.js';

/** Milliseconds that a service waits for its database at startup. */
const REACHABLE_WITHIN_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
/** The server's limits for every statement. We request them when we connect, but a pooler may be configured to ignore them. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** How to open a data source. */
export interface OpenOptions {
  /** Whether to run pending migrations; off where the deployment has its own migration step. */
  migrateOnStart?: boolean;
  /** Milliseconds to wait for the database. Default 30,000. Once it responds, startup fails immediately if a setting is wrong. */
  reachableWithinMs?: number;
}

/**
 * Connects, waiting while the database is down, warns about limits that have no effect, and runs the migrations if the options say so.
 *
 * @throws Error with a one-line message that names the host and the database, but never contains the password
 */
export async function openDataSource(
  options: PostgresOptions,
  { migrateOnStart, reachableWithinMs }: OpenOptions = {},
): Promise<DataSource> {
  const dataSource = await connect(options, reachableWithinMs ?? REACHABLE_WITHIN_MS);
  try {
    await warnOfMissingLimits(dataSource);
    if (!migrateOnStart) return dataSource;
    const names = await migrate(dataSource);
    if (names.length > 0) new Logger('Database').log(`ran migrations ${names.join(', ')}`);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

async function warnOfMissingLimits(dataSource: DataSource): Promise<void> {
  const missing = await dataSource.query<{ name: string }[]>(
    `select s.name from pg_settings s where s.name = any($1) and s.setting = '0' order by s.name`,
    [LIMITS],
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  new Logger('Database').warn(
    `these limits have no effect on the database connections: ${names}. Behind a pooler, set them on the database role`,
  );
}

async function connect(options: PostgresOptions, withinMs: number): Promise<DataSource> {
  const target = describe(options.url ?? '');
  const end = Date.now() + withinMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const dataSource = new DataSource(options);
    try {
      return await dataSource.initialize();
    } catch (error) {
      await dataSource.driver.disconnect().catch(() => undefined); // the pool may have connected and then lost its server
      const reason = summary(error);
      if (!isDatabaseUnavailable(error)) throw new Error(`the database ${target} cannot be used: ${reason}`, { cause: error });
      if (Date.now() + pause > end)
        throw new Error(`the database ${target} was not reachable within ${withinMs / 1000} s: ${reason}`, { cause: error });
      new Logger('Database').warn(`waiting for the database ${target}: ${reason}`);
      await sleep(pause);
    }
  }
}

function describe(url: string): string {
  if (!URL.canParse(url)) return 'of the configured URL';
  const { hostname, port, pathname } = new URL(url);
  return `"${decodeURIComponent(pathname.slice(1))}" at ${hostname || 'the local socket'}:${port || 5432}`;
}

/** If a connection to a host with several addresses fails, the error has an empty message and contains one error per address. */
function summary(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: unknown[] };
  return errors ? errors.map(summary).join(', ') : (message ?? String(error)).replaceAll('\n', ' ');
}
