import { startTemporaryPostgres } from '@fibre/embedded-postgres';

/** Test data need not outlive the machine. */
const FAST_NOT_SAFE = { fsync: false, synchronous_commit: false, full_page_writes: false, max_connections: 200 };

/** A server for tests. */
export interface TestPostgres {
  /** Of a database that tests leave alone; its user may create databases. */
  url: string;
  /** Stops the server and removes its data, when it is ours. */
  stop(): Promise<void>;
}

/** The coordinator of `CITUS_URL` or the server of `DATABASE_URL` when one is set, else a fast throw-away server below the temporary directory. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env.CITUS_URL ?? process.env.DATABASE_URL;
  if (given) return { url: given, stop: () => Promise.resolve() };
  return startTemporaryPostgres({ database: 'maintenance', settings: FAST_NOT_SAFE });
}
