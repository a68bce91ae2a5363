import { randomUUID } from 'node:crypto';
import { createDatabaseStatement, startTemporaryPostgres, withClient } from '@fibre/embedded-postgres';
import type pg from 'pg';

/** Runs one query on its own connection. */
export const query = <Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(text, values)).rows);

/** A database, and its direct URL, which bypasses any pooler. */
export interface TestDatabase {
  url: string;
  directUrl: string;
  stop: () => Promise<void>;
}

/** Creates an empty database on the server at DATABASE_URL and DATABASE_DIRECT_URL, or on that of `npm test`, or else on a new one. */
export async function startTestDatabase(): Promise<TestDatabase> {
  const { TEST_POSTGRES_URL: shared, DATABASE_URL: given = shared, DATABASE_DIRECT_URL: direct = given } = process.env;
  if (!given || !direct) {
    const server = await startTemporaryPostgres({ database: 'fibre', settings: { fsync: false } });
    return { ...server, directUrl: server.url };
  }
  const name = `fibre_${randomUUID()}`;
  await query(direct, createDatabaseStatement(name));
  const [url, directUrl] = [given, direct].map((server) => Object.assign(new URL(server), { pathname: `/${name}` }).href);
  return { url: url!, directUrl: directUrl!, stop: async () => void (await query(direct, `drop database "${name}" with (force)`)) };
}
