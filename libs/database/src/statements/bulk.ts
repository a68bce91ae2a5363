import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg, { type PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { ANSWER_GRACE_MS } from '../connection/data-source.js';
import { READ_TIMEOUT } from '../connection/database-errors.js';
import { Deadline } from '../connection/deadline.js';
import type { Run, Statement } from './statement.js';
import { transact } from './transact.js';

/** Milliseconds that a transaction of {@link workInBulk} may wait for what it is to copy next. */
const IDLE_MS = 600_000;

/** As much work of this kind is under way as may be. */
export class TooMuchBulkWork extends Error {
  override readonly name = 'TooMuchBulkWork';
}

/** What a transaction in bulk can do. One thing at a time. */
export interface BulkConnection {
  readonly run: Run;
  /** Runs `copy ... from stdin` with these rows, in its text format. */
  readonly copyIn: (text: string, rows: string | Readable) => Promise<void>;
}

interface BulkLimits {
  /** Milliseconds that each statement may run and wait for a lock. */
  readonly timeoutMs: number;
  readonly markBroken: (error: unknown) => void;
}

/** Does `work` in one transaction on a connection, once: what came in by a stream does not come again. */
export function workInBulk<T>(
  client: PoolClient,
  work: (connection: BulkConnection) => Promise<T>,
  { timeoutMs, markBroken }: BulkLimits,
): Promise<T> {
  const transaction = async (run: Run): Promise<T> => {
    await client.query(`select set_config('idle_in_transaction_session_timeout', $1, true)`, [String(IDLE_MS)]);
    return work({
      run: (statement) => {
        Deadline.current?.allow(timeoutMs);
        return run(statement);
      },
      copyIn: async (text, rows) => {
        beginCopy(timeoutMs);
        const copy = client.query(copyFrom(text));
        await answered(pipeline(typeof rows === 'string' ? [rows] : rows, copy), timeoutMs);
      },
    });
  };
  return transact(client, transaction, { named: false, markBroken, timeoutMs });
}

/**
 * Hands on the bytes of `copy (...) to stdout` as they come, all of one moment.
 *
 * @param options of COPY, as SQL has them
 */
export function copyOut<T>(
  client: PoolClient,
  { text, values }: Pick<Statement, 'text' | 'values'>,
  options: string,
  consume: (bytes: Readable) => Promise<T>,
  { timeoutMs, markBroken }: BulkLimits,
): Promise<T> {
  const transaction = async (): Promise<T> => {
    await client.query('set transaction read only');
    beginCopy(timeoutMs);
    const copy = client.query(copyTo(`copy (${withLiterals(text, values)}) to stdout (${options})`));
    // It fails once more when its connection is closed, and then nobody may be reading it.
    copy.on('error', () => undefined);
    try {
      return await answered(consume(copy), timeoutMs);
    } catch (error) {
      // What is still on its way has no reader, and a rollback would wait for it.
      void client.end();
      throw error;
    }
  };
  return transact(client, transaction, { named: false, markBroken, timeoutMs });
}

/** As every other statement does before it is sent; a COPY has no promise that could be rejected. */
function beginCopy(timeoutMs: number): void {
  Deadline.current?.check();
  Deadline.current?.allow(timeoutMs);
}

/** The server ends a COPY after `timeoutMs`; a network that swallows its bytes does not. */
async function answered<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(READ_TIMEOUT)), timeoutMs + ANSWER_GRACE_MS);
  });
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer));
}

/** A statement without parameters, because COPY takes none. */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_place, number: string) => {
    const value = values[Number(number) - 1];
    if (value === null || value === undefined) return 'null';
    return pg.escapeLiteral(value instanceof Date ? value.toISOString() : `${value as string}`);
  });
}
