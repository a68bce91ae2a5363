import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';

/** Longest wait in milliseconds, on a busy machine. */
const PATIENCE_MS = 300_000;
const POLL_MS = 20;

/** Runs one statement on its own connection, for what no request can do. */
export const sql = <Row extends pg.QueryResultRow>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(databaseUrl, async (client) => (await client.query<Row>(text, values)).rows);

/** Waits until exactly this many statements wait for a lock. */
export async function untilBlocked(databaseUrl: string, count: number): Promise<void> {
  const blocked = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
    const [row] = await sql<{ count: number }>(databaseUrl, blocked);
    if (row!.count >= count) return;
    if (Date.now() > end) throw new Error(`${row!.count} statements wait for a lock, not ${count}`);
  }
}
