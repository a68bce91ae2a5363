import { randomUUID } from 'node:crypto';
import { startTemporaryPostgres, withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';

/** Runs one query on a connection of its own. */
export const query = <Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(text, values)).rows);

/** An empty database: on the server of DATABASE_URL when that is set, else on a server of its own. */
export async function startTestDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (!given) return startTemporaryPostgres({ database: 'fibre', settings: { fsync: false } });
  const name = `"fibre_${randomUUID()}"`;
  await query(given, `create database ${name}`);
  const url = new URL(given);
  url.pathname = `/${name.slice(1, -1)}`;
  return { url: url.href, stop: async () => void (await query(given, `drop database ${name} with (force)`)) };
}
