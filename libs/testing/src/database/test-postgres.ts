import { startTemporaryPostgres } from '@fibre/embedded-postgres';

/** Test data need not outlive the machine. */
const FAST_NOT_SAFE = { fsync: false, synchronous_commit: false, full_page_writes: false, max_connections: 200 };

/** A server for tests. */
export interface TestPostgres {
  /** Of a database that tests leave alone; its user may create databases. */
  url: string;
  /** The same database where a pooler stands before it: past that. */
  directUrl: string;
  /** Stops the server and removes its data, when it is ours. */
  stop(): Promise<void>;
}

/**
 * The coordinator of `CITUS_URL` or the server of `DATABASE_URL` when one is set, and of `DATABASE_DIRECT_URL` if that is through a
 * pooler; else a fast throw-away server below the temporary directory.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const url = process.env.CITUS_URL ?? process.env.DATABASE_URL;
  const directUrl = process.env.DATABASE_DIRECT_URL ?? url;
  if (url && directUrl) return { url, directUrl, stop: () => Promise.resolve() };
  const server = await startTemporaryPostgres({ database: 'maintenance', settings: FAST_NOT_SAFE });
  return { ...server, directUrl: server.url };
}
