import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg, { type PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { ANSWER_GRACE_MS } from './data-source.js';
import { Deadline, WorkCancelled } from './deadline.js';
import type { Run, Statement } from './statement.js';
import { transact } from './transact.js';

/** Milliseconds that a transaction of {@link workInBulk} may wait for what it is to copy next. */
const IDLE_MS = 600_000;

/** Work of this kind has all the connections that it may have. */
export class TooMuchBulkWork extends Error {
  override readonly name = 'TooMuchBulkWork';
}

/** What a transaction in bulk can do. One thing at a time. */
export interface BulkConnection {
  readonly run: Run;
  /** Runs `copy ... from stdin` with these rows, in its text format. */
  readonly copyIn: (text: string, rows: string | Readable) => Promise<void>;
}

/** The connection that a COPY stream is submitted to; pg knows the deadline of the statement by these two members. */
type Copying<Stream> = Stream & { query_timeout?: number; callback?: () => void };

/** Does `work` in one transaction on a connection, once: what came in by a stream does not come again. */
export function workInBulk<T>(
  client: PoolClient,
  work: (connection: BulkConnection) => Promise<T>,
  { timeoutMs, markBroken }: { timeoutMs: number; markBroken: (error: unknown) => void },
): Promise<T> {
  const going = (): void => {
    const deadline = Deadline.current;
    if (deadline?.over) throw new WorkCancelled(deadline.over);
    deadline?.allow(timeoutMs);
  };
  const transaction = async (run: Run): Promise<T> => {
    await client.query(`select set_config('idle_in_transaction_session_timeout', $1, true)`, [String(IDLE_MS)]);
    return work({
      run: (statement) => {
        going();
        return run(statement);
      },
      copyIn: async (text, rows) => {
        going();
        const copy: Copying<ReturnType<typeof copyFrom>> = copyFrom(text);
        copy.query_timeout = timeoutMs + ANSWER_GRACE_MS;
        client.query(copy);
        await pipeline(typeof rows === 'string' ? [rows] : rows, copy);
      },
    });
  };
  return transact(client, transaction, { named: false, markBroken, timeoutMs });
}

/**
 * Hands the bytes of `copy (...) to stdout` on as they come, all of one moment.
 *
 * @param options of COPY, as SQL has them
 */
export async function copyOut<T>(
  client: PoolClient,
  { text, values }: Pick<Statement, 'text' | 'values'>,
  options: string,
  consume: (bytes: Readable) => Promise<T>,
  { timeoutMs, markBroken }: { timeoutMs: number; markBroken: (error: unknown) => void },
): Promise<T> {
  Deadline.current?.allow(timeoutMs);
  try {
    await client.query('begin read only');
    await client.query(`select set_config('statement_timeout', $1, true)`, [String(timeoutMs)]);
    const copy: Copying<ReturnType<typeof copyTo>> = copyTo(`copy (${withLiterals(text, values)}) to stdout (${options})`);
    copy.query_timeout = timeoutMs + ANSWER_GRACE_MS;
    client.query(copy);
    // pg's clock for the statement; the stream does not stop it.
    void once(copy, 'close').then(
      () => copy.callback?.(),
      () => copy.callback?.(),
    );
    const result = await consume(copy);
    await client.query('commit');
    return result;
  } catch (error) {
    // What is still on its way has nobody to read it.
    markBroken(error);
    throw error;
  }
}

/** A statement without parameters, for COPY takes none. */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replaceAll(/\$(\d+)/g, (_place, number: string) => {
    const value = values[Number(number) - 1];
    if (value === null || value === undefined) return 'null';
    return pg.escapeLiteral(value instanceof Date ? value.toISOString() : `${value as string}`);
  });
}
