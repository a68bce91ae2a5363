import pg from 'pg';

/** Milliseconds to wait for what has to come. */
const PATIENCE_MS = 4_000;

/** Runs one statement on a connection of its own: what a test needs and no request can bring about. */
export async function sql<Row extends pg.QueryResultRow>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // the statement that failed says it too
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until this many statements of the database wait for a lock. */
export async function untilBlocked(databaseUrl: string, count: number): Promise<void> {
  const blocked = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const [row] = await sql<{ count: number }>(databaseUrl, blocked);
    if (row!.count >= count) return;
    if (Date.now() > end) throw new Error(`${row!.count} statements wait for a lock, not ${count}`);
  }
}
