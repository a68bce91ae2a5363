import { Logger } from '@nestjs/common';
import pg, { type PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { BoundedClient, type BoundedClientConfig } from './bounded-client.js';
import { DeadlinePool } from './deadline-pool.js';

/** Milliseconds to wait for a connection: a free one of the pool, or a new one. */
const CONNECTION_WAIT_MS = 5_000;
/** Milliseconds after which an unused connection is closed. */
const IDLE_CONNECTION_MS = 30_000;
/** Milliseconds that one statement may run. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Milliseconds that one statement may wait for a lock. */
const LOCK_TIMEOUT_MS = 5_000;
/** Milliseconds that a transaction may wait for its next statement; the server then ends the connection. */
const IDLE_TRANSACTION_MS = 15_000;
/** Milliseconds beyond the statement timeout after which a silent server counts as lost: the network may swallow an answer. */
export const ANSWER_GRACE_MS = 5_000;
/** Milliseconds until the operating system first looks whether a silent connection still stands. */
const KEEP_ALIVE_MS = 10_000;

/** TypeORM's options for PostgreSQL. */
export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** What differs between data sources. */
export interface DataSourceSettings {
  /**
   * `postgres://user:password@host:port/database`, PostgreSQL 15 to 18. What its query part sets (`sslmode`,
   * `statement_timeout` ...) overrules what is set here.
   */
  url: string;
  /** Connections at most. */
  poolSize: number;
  /** As `pg_stat_activity` shows it. */
  applicationName: string;
  entities: DataSourceOptions['entities'];
  migrations: DataSourceOptions['migrations'];
  /** Milliseconds that one statement may run. Default 10,000. */
  statementTimeoutMs?: number;
  /** Milliseconds that one statement may wait for a lock. Default 5,000. */
  lockTimeoutMs?: number;
  /** Milliseconds to wait for a free or a new connection. Default 5,000. */
  connectionWaitMs?: number;
}

/** A TypeORM data source for PostgreSQL on which every wait is bounded; not connected yet. */
export function createDataSource(settings: DataSourceSettings): DataSource {
  return new DataSource(dataSourceOptions(settings));
}

/**
 * The options behind `createDataSource`. The limits are startup parameters of each connection; a transaction pooler that
 * refuses them must be told to ignore them, and they are then set on the database role.
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
    // The schema belongs to the migrations alone, which run under a lock: see migrate().
    synchronize: false,
    migrationsRun: false,
    migrationsTransactionMode: 'each',
    installExtensions: false,
    logging: false,
    // An idle connection that drops is replaced when the next one is needed.
    poolErrorHandler: (error: Error) => logger.warn(`an idle database connection was lost: ${error.message}`),
    extra: connectionLimits(settings),
  };
}

/** What bounds every wait on a connection, as pg's pool takes it. */
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
    answerWithinMs: statementTimeoutMs + ANSWER_GRACE_MS,
  };
}
