import { Logger } from '@nestjs/common';
import pg, { type PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { BoundedClient, type BoundedClientConfig, DeadlinePool } from './bounded-client.js';

/** Milliseconds to wait for a free or new connection. */
const CONNECTION_WAIT_MS = 5_000;
/** Milliseconds after which an unused connection is closed. */
const IDLE_CONNECTION_MS = 30_000;
/** Milliseconds for which a statement may run. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * Milliseconds for which a statement may wait for a lock: short, because it keeps a connection meanwhile that others need, but longer than
 * PostgreSQL's `deadlock_timeout` (1 s), so that the loser of a deadlock is told so and runs again.
 */
const LOCK_TIMEOUT_MS = 1_500;
/** Milliseconds for which a transaction may wait for its next statement; after that, the server ends the connection. */
const IDLE_TRANSACTION_MS = 15_000;
/** Milliseconds to wait beyond the statement timeout before a silent server counts as lost; the network may have dropped its response. */
export const RESPONSE_GRACE_MS = 5_000;
/** Milliseconds until the operating system first checks a silent connection. */
const KEEP_ALIVE_MS = 10_000;

/** TypeORM's options for PostgreSQL. */
export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Settings that differ between data sources. */
export interface DataSourceSettings {
  /**
   * `postgres://user:password@host:port/database`, PostgreSQL 15 to 18. Its query part (`sslmode`, `statement_timeout` ...) overrides the
   * settings here.
   */
  url: string;
  /** Maximum number of connections. */
  poolSize: number;
  /** The name in `pg_stat_activity`. */
  applicationName: string;
  entities: DataSourceOptions['entities'];
  migrations: DataSourceOptions['migrations'];
  /** Milliseconds for which a statement may run. Default 10,000. */
  statementTimeoutMs?: number;
  /** Milliseconds for which a statement may wait for a lock. Default 1,500. */
  lockTimeoutMs?: number;
  /** Milliseconds to wait for a free or a new connection. Default 5,000. */
  connectionWaitMs?: number;
}

/** A TypeORM data source for PostgreSQL on which every wait is bounded; not yet connected. */
export function createDataSource(settings: DataSourceSettings): DataSource {
  return new DataSource(dataSourceOptions(settings));
}

/**
 * The options of `createDataSource`. The limits are sent as startup parameters of each connection. A transaction pooler that rejects these
 * parameters must be configured to ignore them; then set the limits on the database role.
 */
export function dataSourceOptions(settings: DataSourceSettings): PostgresOptions {
  const logger = new Logger('Database');
  return {
    type: 'postgres',
    url: settings.url,
    driver: { ...pg, Pool: DeadlinePool },
    applicationName: settings.applicationName,
    poolSize: settings.poolSize,
    entities: settings.entities,
    migrations: settings.migrations,
    // Only the migrations change the schema, under a lock: see migrate().
    synchronize: false,
    migrationsRun: false,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    logging: false,
    // A lost idle connection is replaced when one is next needed.
    poolErrorHandler: (error: Error) => logger.warn(`an idle database connection was lost: ${error.message}`),
    extra: connectionLimits(settings),
  };
}

/** The limits of a connection, in the options of pg's pool. */
export function connectionLimits(settings: DataSourceSettings): PoolConfig & BoundedClientConfig {
  const statementTimeoutMs = settings.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  return {
    Client: BoundedClient,
    connectionTimeoutMillis: settings.connectionWaitMs ?? CONNECTION_WAIT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    options: '-c timezone=UTC',
    statement_timeout: statementTimeoutMs,
    lock_timeout: settings.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    responseWithinMs: statementTimeoutMs + RESPONSE_GRACE_MS,
  };
}

/** The oldest major version of PostgreSQL that the services are tested with. */
const LEAST_VERSION = 15;

/**
 * Refuses a server that is too old, because a missing feature may only show long after the start.
 *
 * @throws Error with the version found and the version needed
 */
export function requireVersion({ driver }: Pick<DataSource, 'driver'>, least = LEAST_VERSION): void {
  if (Number.parseInt(driver.version!, 10) >= least) return;
  throw new Error(`the database server is PostgreSQL ${driver.version}, but ${least} or later is needed`);
}
