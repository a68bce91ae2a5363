import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolConfig } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { PostgresOptions } from './connection/data-source.js';
import { isLockTimeout, isStalePlan } from './connection/database-errors.js';
import { SideConnection } from './connection/side-connection.js';
import type { ReadReplica } from './replica/read-replica.js';
import type { Limit } from './limits/limit.js';
import { Limits } from './limits/limits.js';
import { type BulkConnection, copyOut, workInBulk } from './statements/bulk.js';
import { LockTurns } from './statements/lock-turns.js';
import { retryOnConflict, send, withConnection } from './statements/send.js';
import type { Run, Statement } from './statements/sql.js';
import { transact, type TransactionOptions } from './statements/transact.js';

/** How statements are sent. */
export interface DatabaseOptions {
  /** False for a pooler without support for prepared statements. Default true: each connection parses and plans a named statement once. */
  namedStatements?: boolean;
}

interface ChangeOptions extends TransactionOptions {
  statementTimeoutMs: number;
}

/** The share of connections that one kind of bulk work may use; the rest are for requests. */
const SHARE_OF_BULK_WORK = 1 / 4;
/** A large page needs several times its size in memory, but only briefly, so reading a few at once is enough. */
const LARGE_PAGES_AT_ONCE = 4;
/** Longest time in milliseconds that bulk work or a large page waits for its turn; the deadline of its request may be earlier. */
const MAX_WAIT_MS = 1_800_000;

/**
 * Statements and transactions on TypeORM's connection pool, and searches on a replica if there is one. Throws pg's errors: see
 * `isUniqueViolation`, `isTimeout`, `isDatabaseUnavailable` and `isOutcomeUnknown`.
 */
@Injectable()
export class Database {
  private readonly named: boolean;
  private readonly side: SideConnection;
  /** For reading large pages. */
  readonly largePages: Limit;
  private readonly imports: Limit;
  private readonly exports: Limit;
  private readonly lockTurns: LockTurns;

  constructor(
    private readonly dataSource: DataSource,
    options: DatabaseOptions = {},
    /** The read replica, if there is one. */
    readonly replica?: ReadReplica,
    limits = new Limits(),
  ) {
    this.named = options.namedStatements ?? true;
    const connection = dataSource.options as PostgresOptions;
    this.side = new SideConnection({
      ...(connection.extra as PoolConfig),
      connectionString: connection.url,
      application_name: connection.applicationName,
    });
    const bulk = { amount: this.bulkShare, perClient: this.bulkShare, maxWaitMs: MAX_WAIT_MS };
    this.largePages = limits.add('large pages', { amount: LARGE_PAGES_AT_ONCE, maxWaitMs: MAX_WAIT_MS });
    this.imports = limits.add('import transactions', bulk);
    this.exports = limits.add('export transactions', bulk);
    this.lockTurns = new LockTurns(limits, this.bulkShare);
  }

  /** Runs one statement, and runs it again after a conflict with another transaction. @throws ContentionError after the last attempt */
  run<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    return this.withRetries((named) => withConnection(this.primary, (client) => send<Row>(client, statement, named)));
  }

  /**
   * Runs one read that may miss the writes of the last few seconds. If there is a read replica, the read runs there, unless the replica
   * is too far behind and the primary is up. Only for searches: a client reads its own writes with {@link run}.
   */
  read<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    const onPrimary = (): Promise<Row[]> => this.run<Row>(statement);
    const onReplica = (pool: Pool): Promise<Row[]> => withConnection(pool, (client) => send<Row>(client, statement, this.named));
    return this.replica?.read(onReplica, onPrimary) ?? onPrimary();
  }

  /**
   * Runs `work` in one transaction: commits when it returns, rolls back when it throws. After a conflict with another transaction, `work`
   * runs again from the start, so it must have no side effects other than its statements. It must await each statement before it sends the
   * next; once the transaction has ended, `run` throws.
   *
   * @throws ContentionError after the last attempt
   */
  transaction<T>(work: (run: Run) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.transact(work, options);
  }

  /**
   * Runs `work` like {@link transaction}, but may wait for locks that long work of the same client holds, such as an import. It waits without
   * its place among the requests, and without a connection for most of the time: in each of its turns only briefly, so that clients who wait
   * for locks of their own delay no other client.
   *
   * @param client who waits; one change of a client runs at a time
   * @throws LimitReached, ContentionError, or the lock timeout once it has waited for long enough; nothing was done
   */
  change<T>(client: string, work: (run: Run) => Promise<T>, options: ChangeOptions): Promise<T> {
    return this.lockTurns.run(client, (lockTimeoutMs) => this.transact(work, options, lockTimeoutMs));
  }

  /**
   * Runs one statement that writes what a longer {@link change} or an import of the same client may have locked. The statement itself must
   * limit its wait for locks with `briefWait`; if that was not long enough, it waits like a {@link change}.
   */
  async write<Row extends object = Record<string, unknown>>(
    client: string,
    statement: Statement,
    statementTimeoutMs = 10_000,
  ): Promise<Row[]> {
    try {
      return await this.run<Row>(statement);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    return this.change(client, (run) => run<Row>(statement), { statementTimeoutMs });
  }

  /**
   * Runs `work` once in one transaction, when it is its turn: commits when it returns, rolls back when it throws. If the request's work is
   * cancelled, a running statement is interrupted.
   *
   * @param timeoutMs milliseconds for which each statement may run, and may wait for a lock
   */
  bulk<T>(work: (connection: BulkConnection) => Promise<T>, timeoutMs: number): Promise<T> {
    // A statement that cannot be interrupted ends by itself.
    const interrupt = (pid: number): Promise<unknown> => this.side.query(`select pg_cancel_backend(${pid})`).catch(() => undefined);
    return this.imports.run('', () => withConnection(this.primary, (client) => workInBulk(client, work, timeoutMs, interrupt)));
  }

  /**
   * Passes on the output of `copy (<statement>) to stdout (<options>)`, which is a single snapshot, when it is its turn.
   */
  copyOut<T>(statement: Statement, options: string, consume: (bytes: Readable) => Promise<T>, timeoutMs: number): Promise<T> {
    return this.exports.run('', () => withConnection(this.primary, (client) => copyOut(client, statement, options, consume, timeoutMs)));
  }

  /** Checks the primary outside the pool, because a full pool isn't an outage. Throws if it does not respond. */
  ping(): Promise<void> {
    return this.side.query('select').then(() => undefined);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.side.close();
  }

  /** The primary's pool and, if there is a read replica, its pool. */
  pools(): Map<'primary' | 'replica', Pool> {
    const pools = new Map<'primary' | 'replica', Pool>();
    const primary = (this.dataSource.driver as PostgresDriver).master as Pool | undefined;
    if (primary) pools.set('primary', primary);
    if (this.replica) pools.set('replica', this.replica.pool);
    return pools;
  }

  /** Maximum number of connections for work of one kind. */
  get bulkShare(): number {
    return Math.max(1, Math.floor((this.dataSource.options as PostgresOptions).poolSize! * SHARE_OF_BULK_WORK));
  }

  private get primary(): Pool {
    const driver = this.dataSource.driver as PostgresDriver;
    if (!driver.master) throw new Error('Driver not Connected');
    return driver.master as Pool;
  }

  private transact<T>(
    work: (run: Run) => Promise<T>,
    { retryOn, statementTimeoutMs }: TransactionOptions,
    lockTimeoutMs?: number,
  ): Promise<T> {
    const attempt = (named: boolean): Promise<T> =>
      withConnection(this.primary, (client) => transact(client, ({ run }) => work(run), named, statementTimeoutMs, lockTimeoutMs));
    return this.withRetries(attempt, retryOn);
  }

  /**
   * After a migration has changed a table, statements are sent without names, because other pooled connections have the same outdated plan.
   */
  private withRetries<T>(work: (named: boolean) => Promise<T>, retryOn?: readonly string[]): Promise<T> {
    let { named } = this;
    const attempt = (): Promise<T> =>
      work(named).catch((error: unknown) => {
        named &&= !isStalePlan(error);
        throw error;
      });
    return retryOnConflict(attempt, retryOn);
  }
}
