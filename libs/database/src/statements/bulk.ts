import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg, { type PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { RESPONSE_GRACE_MS } from '../connection/data-source.js';
import { READ_TIMEOUT } from '../connection/database-errors.js';
import { Deadline } from '../connection/deadline.js';
import type { Run, Statement } from './sql.js';
import { transact, type Transaction } from './transact.js';

/** Operations of a bulk transaction; only one may run at a time. */
export interface BulkConnection {
  readonly run: Run;
  /** Runs `copy ... from stdin` with these rows, in COPY's text format. */
  readonly copyIn: (text: string, rows: Readable) => Promise<void>;
}

/**
 * Runs `work` once in one transaction on a connection, because streamed input cannot be replayed.
 *
 * @param timeoutMs milliseconds for which each statement may run, and may wait for a lock
 * @param interrupt ends the statement that a process of the server is running. It is called if the request's work is cancelled, because a
 *   statement of bulk work may run for minutes, with locks and a place that nobody needs any more
 */
export function workInBulk<T>(
  client: PoolClient,
  work: (connection: BulkConnection) => Promise<T>,
  timeoutMs: number,
  interrupt: (pid: number) => Promise<unknown>,
): Promise<T> {
  const bulkWork = async (transaction: Transaction): Promise<T> => {
    // Not `client.processID`: behind a pooler, that is the pooler's.
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    let interrupted: Promise<unknown> | undefined;
    const stopListening = Deadline.current?.onEnd(() => void (interrupted = interrupt(rows[0]!.pid)));
    try {
      return await work({
        run: transaction.run,
        copyIn: async (text, stream) => {
          // Unlike other statements, a COPY has no promise to reject.
          Deadline.current?.check();
          await withTimeout(pipeline(stream, transaction.client().query(copyFrom(text))), timeoutMs);
        },
      });
    } finally {
      stopListening?.();
      // Otherwise it could meet the next statement of this connection.
      await interrupted;
    }
  };
  return transact(client, bulkWork, false, timeoutMs);
}

/**
 * Passes on the bytes of `copy (...) to stdout` as they arrive; they come from a single snapshot.
 *
 * @param options COPY options in SQL
 */
export function copyOut<T>(
  client: PoolClient,
  { text, values }: Pick<Statement, 'text' | 'values'>,
  options: string,
  consume: (bytes: Readable) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  const transaction = async (): Promise<T> => {
    await client.query('set transaction read only');
    Deadline.current?.allow(timeoutMs);
    const copy = client.query(copyTo(`copy (${withLiterals(text, values)}) to stdout (${options})`));
    // Closing the connection makes the stream fail again, possibly when nothing reads it any more.
    copy.on('error', () => undefined);
    try {
      return await withTimeout(consume(copy), timeoutMs);
    } catch (error) {
      // Nobody reads the rest, and a rollback would wait for it.
      void client.end();
      throw error;
    }
  };
  return transact(client, transaction, false, timeoutMs);
}

/** The server ends a COPY after `timeoutMs`, but not if the network drops its bytes. */
async function withTimeout<T>(copied: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(READ_TIMEOUT)), timeoutMs + RESPONSE_GRACE_MS);
  });
  return Promise.race([copied, silence]).finally(() => clearTimeout(timer));
}

/** The statement with literals, because COPY takes no parameters. */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_place, number: string) => {
    const value = values[Number(number) - 1];
    if (value === null || value === undefined) return 'null';
    return pg.escapeLiteral(value instanceof Date ? value.toISOString() : `${value as string}`);
  });
}
