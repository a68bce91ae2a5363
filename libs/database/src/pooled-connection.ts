import type { Pool, PoolClient } from 'pg';
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

/** How statements go out on a connection. */
export interface Sending {
  readonly named: boolean;
  readonly markBroken: (error: unknown) => void;
  /** Milliseconds until pg gives up by itself; what the connection allows when absent. */
  readonly answerWithinMs?: number;
}

/** Runs one statement on a connection. */
export async function send<Row extends object>(
  client: PoolClient,
  statement: Statement,
  { named, markBroken, answerWithinMs }: Sending,
): Promise<Row[]> {
  const { name, text, values } = statement;
  const config = { text, values, ...(named && { name }), ...(answerWithinMs !== undefined && { query_timeout: answerWithinMs }) };
  try {
    const { rows } = await inSpan(statement, () => client.query<Row>(config));
    return rows;
  } catch (error) {
    // It was not even prepared. PgBouncer takes the name for given all the same, and ends a connection that prepares it again.
    if (named && !isPrepared(client, name)) markBroken(error);
    throw error;
  }
}

/** Whether the server has confirmed a prepared statement of the connection. */
const isPrepared = (client: PoolClient, name: string): boolean =>
  name in (client as unknown as { connection: { parsedStatements: object } }).connection.parsedStatements;
