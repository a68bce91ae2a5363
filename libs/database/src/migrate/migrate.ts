import { setTimeout as sleep } from 'node:timers/promises';
import { AbstractLogger, DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { type PostgresOptions, requireVersion } from '../connection/data-source.js';
import { isTransactionPooled } from './transaction-pooler.js';

/** Key of the advisory lock. Such locks belong to one database, so all services can use the same key. */
export const MIGRATION_LOCK = 4_021_571_893;
/** How long, in milliseconds, a process waits while another one migrates: long enough to build a large index. */
const LOCK_WAIT_MS = 600_000;
const LOCK_POLL_MS = 250;

/**
 * A pooler in transaction mode would leave the lock and the settings on a connection that other clients use, and run our next statement
 * without them.
 */
const POOLED =
  'migrations are pending, but the schema cannot be changed through a pooler in transaction mode: use the URL of the server itself';

export interface MigrateOptions {
  /** Milliseconds to wait for another process that is migrating. Default 600,000. */
  lockWaitMs?: number;
}

/**
 * Runs the pending migrations of `dataSource`, each in its own transaction unless it says `transaction = false`. Any number of processes
 * may call this at once: one of them runs the migrations, and the others wait and then find nothing to do. Opens its own connection;
 * `dataSource` need not be connected.
 *
 * @returns the names of the migrations that ran, in order
 * @throws Error if the server is too old, migrations are pending behind a pooler in transaction mode, another process migrates for too long, or a migration fails
 */
export async function migrate(dataSource: DataSource, { lockWaitMs = LOCK_WAIT_MS }: MigrateOptions = {}): Promise<string[]> {
  const options = dataSource.options as PostgresOptions;
  const logger = new FailureLogger();
  // Closing the connection always releases the lock. The service's lock timeout still applies, because a statement that waits a long time
  // for a table also blocks every later reader.
  const extra = { ...(options.extra as object), statement_timeout: 0, responseWithinMs: 0 };
  const own = new DataSource({ ...options, poolSize: 1, extra, logger });
  await own.initialize();
  try {
    requireVersion(own);
    const queryRunner = own.createQueryRunner();
    const executor = new MigrationExecutor(own, queryRunner);
    executor.transaction = 'each';
    if (await isTransactionPooled(options)) {
      if ((await executor.getPendingMigrations()).length > 0) throw new Error(POOLED);
      return [];
    }
    await queryRunner.query('set statement_timeout = 0'); // the role or the database may also set one
    await takeLock(queryRunner, lockWaitMs);
    return (await executor.executePendingMigrations()).map(({ name }) => name);
  } catch (error) {
    throw logger.failure === undefined ? error : new Error(logger.failure, { cause: error });
  } finally {
    await own.destroy();
  }
}

/** TypeORM reports only to its logger which migration failed. */
class FailureLogger extends AbstractLogger {
  failure?: string;

  override logMigration(message: string): void {
    this.failure = message;
  }

  protected writeLog(): void {}
}

/** Polls, because `create index concurrently` waits for every running statement, including one that waits for this lock. */
async function takeLock(queryRunner: QueryRunner, waitMs: number): Promise<void> {
  for (const end = Date.now() + waitMs; ; await sleep(LOCK_POLL_MS)) {
    const [row] = (await queryRunner.query('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK])) as { taken: boolean }[];
    if (row?.taken) return;
    if (Date.now() > end) throw new Error(`another process has been migrating this database for ${waitMs / 1000} s`);
  }
}
