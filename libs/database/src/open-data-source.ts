import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PostgresOptions, requireVersion } from './connection/data-source.js';
import { migrate } from './migrate/migrate.js';

/** The server's limits for every statement. We request them when we connect, but a pooler may be configured to ignore them. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Connects, warns about limits that have no effect, and runs pending migrations if asked to.
 *
 * @throws Error with a one-line message that never contains the password
 */
export async function openDataSource(options: PostgresOptions, migrateOnStart = false): Promise<DataSource> {
  const dataSource = await connect(options);
  try {
    requireVersion(dataSource);
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

async function connect(options: PostgresOptions): Promise<DataSource> {
  const dataSource = new DataSource(options);
  try {
    return await dataSource.initialize();
  } catch (error) {
    await dataSource.driver.disconnect().catch(() => undefined); // the pool may have connected and then lost its server
    throw new Error(`the database cannot be used: ${summary(error)}`, { cause: error });
  }
}

/** If a connection to a host with several addresses fails, the error has an empty message and contains one error per address. */
function summary(error: unknown): string {
  const { message, errors } = error as { message?: string; errors?: unknown[] };
  return errors ? errors.map(summary).join(', ') : (message ?? String(error)).replaceAll('\n', ' ');
}
