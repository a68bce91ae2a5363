import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { type BulkConnection, copyOut, TooMuchBulkWork, workInBulk } from './bulk.js';
import { ContentionError } from './contention-error.js';
import type { PostgresOptions } from './data-source.js';
import { DEADLOCK_DETECTED, isStalePlan, SERIALIZATION_FAILURE, sqlState } from './database-errors.js';
import { Deadline } from './deadline.js';
import { send, withConnection } from './pooled-connection.js';
import type { Check, ReadReplica, ReplicaState } from './read-replica.js';
import { ANSWER_WITHIN_MS } from './side-connection.js';
import { SignOfLife } from './sign-of-life.js';
import type { Run, Statement } from './statement.js';
import { transact } from './transact.js';

/** Attempts of one transaction, the first included. */
export const MAX_TRANSACTION_ATTEMPTS = 10;
/** Milliseconds. Before attempt n+1 a random pause up to n times this, so that those who met do not meet again. */
const RETRY_PAUSE_MS = 10;

/** How statements reach the server. */
export interface DatabaseOptions {
  /**
   * False for a pooler that cannot carry prepared statements from one server connection to another. Default true: a named
   * statement is parsed and planned once per connection.
   */
  namedStatements?: boolean;
}

/** How often a transaction may run. */
export interface TransactionOptions {
  /** SQLSTATEs that mean "met another one" here, besides 40001 and 40P01. */
  retryOn?: string[];
  /** Milliseconds that each statement may run and wait for a lock, and the request at least; what the connection and the request allow when absent. */
  statementTimeoutMs?: number;
}

/** Long work that keeps a connection to itself. */
export type BulkKind = 'import' | 'export';
/** Of the connections, what work of one kind may have: the rest is for requests. */
const SHARE_OF_BULK_WORK = 1 / 4;

/** A connection pool at this moment. */
export interface PoolState {
  readonly pool: 'primary' | 'replica';
  readonly used: number;
  readonly idle: number;
  /** Most connections. */
  readonly max: number;
  /** Who waits for a connection. */
  readonly waiting: number;
}

/**
 * Statements and transactions on the connection pool that TypeORM manages, and reads on a replica where there is one. Errors are those of pg, see
 * `isUniqueViolation`, `isTimeout` and `isDatabaseUnavailable`.
 */
@Injectable()
export class Database {
  private readonly named: boolean;
  private readonly signOfLife: SignOfLife;
  private readonly bulkWork: Record<BulkKind, number> = { import: 0, export: 0 };

  constructor(
    private readonly dataSource: DataSource,
    options: DatabaseOptions = {},
    private readonly replica?: ReadReplica,
  ) {
    this.named = options.namedStatements ?? true;
    this.signOfLife = new SignOfLife(dataSource.options as PostgresOptions);
  }

  /** Runs one statement on its own. */
  run<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    return this.runOn(this.primary, statement);
  }

  /**
   * Runs one statement that only reads: on the read replica, if there is one that has all that was acknowledged so far, else as
   * {@link run}. While the database is away the answer may be as old as the replica's lag is allowed to be.
   */
  read<Row extends object = Record<string, unknown>>(statement: Statement): Promise<Row[]> {
    const { replica } = this;
    if (!replica) return this.run(statement);
    return replica.answer(
      (check) => this.runOn<Row>(replica.pool, statement, check),
      () => this.run<Row>(statement),
    );
  }

  /**
   * Runs `work` in one transaction: commits when it returns, rolls back when it throws. `work` runs again from its start
   * when the transaction met others, so it must have no effect but its statements; it awaits one statement before it
   * sends the next.
   *
   * @throws ContentionError when the attempts run out
   */
  async transaction<T>(work: (run: Run) => Promise<T>, { retryOn = [], statementTimeoutMs }: TransactionOptions = {}): Promise<T> {
    const met = new Set([SERIALIZATION_FAILURE, DEADLOCK_DETECTED, ...retryOn]);
    let named = this.named;
    if (statementTimeoutMs !== undefined) Deadline.current?.allow(statementTimeoutMs);
    for (let attempt = 1; ; attempt++) {
      try {
        return await withConnection(this.primary, (client, markBroken) =>
          transact(client, work, { named, markBroken, timeoutMs: statementTimeoutMs }),
        );
      } catch (error) {
        const stale = isStalePlan(error);
        if (!stale && !met.has(sqlState(error) ?? '')) throw error;
        if (attempt >= MAX_TRANSACTION_ATTEMPTS) throw new ContentionError(attempt, error);
        named &&= !stale;
        await sleep(Math.random() * attempt * RETRY_PAUSE_MS);
      }
    }
  }

  /**
   * Does `work` in one transaction, once: commits when it returns, rolls back when it throws.
   *
   * @param timeoutMs milliseconds that each statement may run and wait for a lock
   * @throws TooMuchBulkWork
   */
  bulk<T>(work: (connection: BulkConnection) => Promise<T>, timeoutMs: number): Promise<T> {
    return this.inTurn('import', () =>
      withConnection(this.primary, (client, markBroken) => workInBulk(client, work, { timeoutMs, markBroken })),
    );
  }

  /**
   * Hands on what `copy (<statement>) to stdout (<options>)` writes, all of one moment.
   *
   * @throws TooMuchBulkWork
   */
  copyOut<T>(statement: Statement, options: string, consume: (bytes: Readable) => Promise<T>, timeoutMs: number): Promise<T> {
    return this.inTurn('export', () =>
      withConnection(this.primary, (client, markBroken) => copyOut(client, statement, options, consume, { timeoutMs, markBroken })),
    );
  }

  /** Asks the primary for a sign of life, beside the pool. Throws when there is none. */
  ping(): Promise<void> {
    return this.signOfLife.ask();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.signOfLife.close();
  }

  /** The read replica, where there is one. */
  replicaState(): ReplicaState | undefined {
    return this.replica?.state;
  }

  /** Of the primary, and of the read replica where there is one. */
  pools(): PoolState[] {
    const { master } = this.dataSource.driver as { master?: Pool };
    const pools = [
      ['primary', master],
      ['replica', this.replica?.pool],
    ] as const;
    return pools.flatMap(([name, pool]) => (pool ? [stateOf(name, pool)] : []));
  }

  private async inTurn<T>(kind: BulkKind, work: () => Promise<T>): Promise<T> {
    const most = Math.max(1, Math.floor(this.primary.options.max * SHARE_OF_BULK_WORK));
    if (this.bulkWork[kind] >= most) throw new TooMuchBulkWork(`${most} of the kind ${kind} are under way`);
    this.bulkWork[kind]++;
    try {
      return await work();
    } finally {
      this.bulkWork[kind]--;
    }
  }

  private get primary(): Pool {
    const { master } = this.dataSource.driver as { master?: Pool };
    if (!master) throw new Error('Driver not Connected');
    return master;
  }

  private async runOn<Row extends object>(pool: Pool, statement: Statement, check?: Check): Promise<Row[]> {
    const run = (named: boolean) =>
      withConnection(pool, async (client, markBroken) => {
        await check?.((one) => send(client, one, { named, markBroken, answerWithinMs: ANSWER_WITHIN_MS }), client);
        return send<Row>(client, statement, { named, markBroken });
      });
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(this.named && attempt === 1);
      } catch (error) {
        // Refused before it did anything. Other pooled connections have the same old plan, so do without one; another migration may follow.
        if (!isStalePlan(error) || attempt >= MAX_TRANSACTION_ATTEMPTS) throw error;
      }
    }
  }
}

const stateOf = (name: PoolState['pool'], pool: Pool): PoolState => ({
  pool: name,
  used: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  max: pool.options.max,
  waiting: pool.waitingCount,
});
