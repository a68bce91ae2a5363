import pg from 'pg';

/** Milliseconds to wait for a connection on a busy machine. */
const CONNECT_TIMEOUT_MS = 60_000;

/** Runs `work` on a new connection, and then closes the connection. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined); // the query fails too; without a listener the event would end the process
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
