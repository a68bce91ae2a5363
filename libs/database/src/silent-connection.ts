import type { Client, ClientBase } from 'pg';

/**
 * Ends a connection that left a statement without an answer (`query_timeout`): whoever uses it next, be it to roll back,
 * would wait as long again. TypeORM gives it back to the pool as if it were well; the pool drops what is ending.
 */
export function endWhenSilent(connection: ClientBase): void {
  const client = connection as Client;
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const watched = (...given: unknown[]): unknown => {
    const result = query(...given);
    if (result instanceof Promise) result.catch((error: Error) => void (error.message === 'Query read timeout' && client.end()));
    return result;
  };
  client.query = watched as typeof client.query;
}
