import { startTemporaryPostgres } from '@fibre/embedded-postgres';

/** Test data does not have to survive a crash of the machine. */
const FAST_NOT_SAFE = { fsync: false, synchronous_commit: false, full_page_writes: false, max_connections: 400 };

/** A server for tests. */
export interface TestPostgres {
  /** URL of a database that tests do not change; its user may create databases. */
  url: string;
  /** URL that reaches the same database without a pooler. */
  directUrl: string;
  /** Stops the server and removes its data, if it is ours. */
  stop(): Promise<void>;
}

/**
 * The coordinator of `CITUS_URL` or the server of `DATABASE_URL` if one is set (with `DATABASE_DIRECT_URL` if that is a pooler);
 * otherwise the server that all projects of one `npm test` share, or a fast temporary server.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const url = process.env.CITUS_URL ?? process.env.DATABASE_URL ?? process.env.TEST_POSTGRES_URL;
  const directUrl = process.env.DATABASE_DIRECT_URL ?? url;
  if (url && directUrl) return { url, directUrl, stop: () => Promise.resolve() };
  const server = await startTemporaryPostgres({ database: 'maintenance', settings: FAST_NOT_SAFE });
  return { ...server, directUrl: server.url };
}
