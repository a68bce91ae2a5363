import { randomUUID } from 'node:crypto';
import { startTemporaryPostgres, withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';

/** Runs one query on a connection of its own. */
export const query = <Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(text, values)).rows);

/** A database, and the way to it past a pooler that may stand before it. */
export interface TestDatabase {
  url: string;
  directUrl: string;
  stop: () => Promise<void>;
}

/** An empty database: on the server of DATABASE_URL (DATABASE_DIRECT_URL) when that is set, else on a server of its own. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const { DATABASE_URL: given, DATABASE_DIRECT_URL: direct = given } = process.env;
  if (!given || !direct) {
    const server = await startTemporaryPostgres({ database: 'fibre', settings: { fsync: false } });
    return { ...server, directUrl: server.url };
  }
  const name = `fibre_${randomUUID()}`;
  await query(direct, `create database "${name}"`);
  const [url, directUrl] = [given, direct].map((server) => Object.assign(new URL(server), { pathname: `/${name}` }).href);
  return { url: url!, directUrl: directUrl!, stop: async () => void (await query(direct, `drop database "${name}" with (force)`)) };
}
