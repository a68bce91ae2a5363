import type { Pool, PoolClient } from 'pg';
import { ANSWER_GRACE_MS } from './data-source.js';
import { breaksConnection } from './database-errors.js';
import { inSpan } from './statement-span.js';
import type { Statement } from './statement.js';

/** Does `work` on a connection of the pool, which gets it back unless it broke. */
export async function withConnection<T>(
  pool: Pool,
  work: (client: PoolClient, markBroken: (error: unknown) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const markBroken = (error: unknown) => (broken ??= error instanceof Error ? error : new Error(String(error)));
  // The pool listens only to idle connections, and an 'error' event without a listener ends the process.
  client.on('error', markBroken);
  try {
    return await work(client, markBroken);
  } catch (error) {
    // Only then: pg's own pool.query drops the connection on every error, also on an ordinary unique violation.
    if (breaksConnection(error)) markBroken(error);
    throw error;
  } finally {
    client.release(broken);
    client.off('error', markBroken);
  }
}

/** Runs one statement on a connection. */
export async function send<Row extends object>(
  client: PoolClient,
  statement: Statement,
  named: boolean,
  timeoutMs?: number,
): Promise<Row[]> {
  const { name, text, values } = statement;
  // pg gives up by itself too, on the limit of the connection unless a statement brings its own.
  const config = { text, values, ...(named && { name }), ...(timeoutMs !== undefined && { query_timeout: timeoutMs + ANSWER_GRACE_MS }) };
  const { rows } = await inSpan(statement, () => client.query<Row>(config));
  return rows;
}
