import pg from 'pg';

/** Runs `work` on a connection of its own and closes it. */
export async function withServerClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the query that failed says it too
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Drops a database, ending the connections to it. */
export async function dropDatabase(client: pg.Client, database: string): Promise<void> {
  await client.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
}
