import pg from 'pg';

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
