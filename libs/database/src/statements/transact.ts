import type { PoolClient } from 'pg';
import { RESPONSE_GRACE_MS } from '../connection/data-source.js';
import { breaksConnection } from '../connection/database-errors.js';
import { send } from './send.js';
import type { Run } from './sql.js';

/** How a transaction is retried. */
export interface TransactionOptions {
  /** SQLSTATEs that mean a conflict here, in addition to 40001 and 40P01. */
  retryOn?: string[];
  /** Milliseconds for which each statement may run and may wait for a lock. Default: the time limits of the connection. */
  statementTimeoutMs?: number;
}

/** What works in a transaction, until the transaction ends: afterwards, another request may hold the connection. */
export interface Transaction {
  readonly run: Run;
  /** The connection, for work other than statements. @throws Error once the transaction has ended */
  readonly client: () => PoolClient;
}

/**
 * Runs `work` once in one transaction on a connection.
 *
 * @param timeoutMs milliseconds for which each statement may run; if absent, the connection's limits
 * @param lockTimeoutMs milliseconds for which each statement may wait for a lock, if that is less
 */
export async function transact<T>(
  client: PoolClient,
  work: (transaction: Transaction) => Promise<T>,
  named: boolean,
  timeoutMs?: number,
  lockTimeoutMs = timeoutMs,
): Promise<T> {
  const responseWithinMs = timeoutMs === undefined ? undefined : timeoutMs + RESPONSE_GRACE_MS;
  let hasEnded = false;
  const whileOpen = (): PoolClient => {
    if (hasEnded) throw new Error('the transaction has ended');
    return client;
  };
  const limits = timeoutMs === undefined ? '' : `; set local statement_timeout = ${timeoutMs}; set local lock_timeout = ${lockTimeoutMs}`;
  await client.query(`begin${limits}`);
  try {
    const run: Run = async (statement) => send(whileOpen(), statement, named, responseWithinMs);
    const result = await work({ run, client: whileOpen });
    hasEnded = true;
    const { command } = await client.query('commit');
    // The server returns ROLLBACK if a statement failed and `work` ignored the error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back because one of its statements failed');
    return result;
  } catch (error) {
    hasEnded = true;
    // The server rolls back when a connection closes.
    if (!breaksConnection(error)) await client.query('rollback').catch(() => void client.end());
    throw error;
  }
}
