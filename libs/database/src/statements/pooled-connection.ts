import type { Pool, PoolClient } from 'pg';
import { breaksConnection, sqlState } from '../connection/database-errors.js';
import { inSpan } from './statement-span.js';
import { preparedName, type Statement } from './statement.js';

/** Runs `work` on a connection of the pool, and returns the connection unless it broke. */
export async function withConnection<T>(
  pool: Pool,
  work: (client: PoolClient, markBroken: (error: unknown) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const markBroken = (error: unknown) => (broken ??= error instanceof Error ? error : new Error(String(error)));
  // The pool only listens to idle connections, and an 'error' event without a listener would end the process.
  client.on('error', markBroken);
  try {
    return await work(client, markBroken);
  } catch (error) {
    // Not after every error, as pool.query does: a unique violation leaves the connection usable.
    if (breaksConnection(error)) markBroken(error);
    throw error;
  } finally {
    client.release(broken);
    client.off('error', markBroken);
  }
}

/** How statements are sent on a connection. */
export interface Sending {
  readonly named: boolean;
  readonly markBroken: (error: unknown) => void;
  /** Milliseconds until pg gives up; the connection's limit if absent. */
  readonly responseWithinMs?: number;
}

/** SQLSTATEs of errors during execution, when the statement is already prepared. */
const CARRIED_OUT = /^(22|23|40)/;

/** Runs one statement on a connection. */
export async function send<Row extends object>(
  client: PoolClient,
  statement: Statement,
  { named, markBroken, responseWithinMs }: Sending,
): Promise<Row[]> {
  const { text, values } = statement;
  const name = named ? preparedName(statement) : undefined;
  const config = { text, values, name, ...(responseWithinMs !== undefined && { query_timeout: responseWithinMs }) };
  try {
    const { rows } = await inSpan(statement, () => client.query<Row>(config));
    return rows;
  } catch (error) {
    // It may not have been prepared. PgBouncer still remembers the name, and closes a connection that prepares it again.
    if (name !== undefined && !CARRIED_OUT.test(sqlState(error) ?? '')) markBroken(error);
    throw error;
  }
}
