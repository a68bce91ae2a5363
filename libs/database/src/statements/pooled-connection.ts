import type { Pool, PoolClient } from 'pg';
import { breaksConnection, sqlState } from '../connection/database-errors.js';
import { inSpan } from './statement-span.js';
import { preparedName, type Statement } from './statement.js';

/** Runs `work` on a connection from the pool, and returns the connection unless it broke. The pool drops closed connections. */
export async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    return await work(client);
  } catch (error) {
    // Unlike pool.query, we don't close the connection after every error: after a unique violation it is still usable.
    isBroken = breaksConnection(error);
    throw error;
  } finally {
    client.release(isBroken);
  }
}

/** SQLSTATEs of errors that occur during execution, when the statement has already been prepared. */
const CARRIED_OUT = /^(22|23|40)/;

/**
 * Runs one statement on a connection.
 *
 * @param responseWithinMs milliseconds after which pg gives up; if absent, the connection's limit
 */
export async function send<Row extends object>(
  client: PoolClient,
  statement: Statement,
  named: boolean,
  responseWithinMs?: number,
): Promise<Row[]> {
  const { text, values } = statement;
  const name = named ? preparedName(statement) : undefined;
  const config = { text, values, name, ...(responseWithinMs !== undefined && { query_timeout: responseWithinMs }) };
  try {
    const { rows } = await inSpan(statement, () => client.query<Row>(config));
    return rows;
  } catch (error) {
    // The statement may not have been prepared. PgBouncer still remembers the name, and closes a connection that prepares it again.
    if (name !== undefined && !CARRIED_OUT.test(sqlState(error) ?? '')) void client.end();
    throw error;
  }
}
