import pg from 'pg';
import type { PostgresOptions } from '../connection/data-source.js';

/**
 * Whether a pooler in transaction mode is between us and the server. Such a pooler runs each transaction on any free server connection,
 * and loses session state (locks, settings).
 */
export async function isTransactionPooled({ url, extra }: PostgresOptions): Promise<boolean> {
  const [first, ...others] = Array.from({ length: 3 }, () => new pg.Client({ ...(extra as pg.ClientConfig), connectionString: url }));
  try {
    await connect(first!);
    const pid = await serverPid(first!);
    // In transaction mode, the pooler gives the first client's server connection to another client, or runs the first client's next
    // query on a different one. Two other clients are needed because some poolers reuse the newest connection and some the oldest.
    for (const other of others) {
      await connect(other);
      await other.query('begin');
      if ((await serverPid(other)) === pid || (await serverPid(first!)) !== pid) return true;
    }
    return false;
  } finally {
    await Promise.all([first!, ...others].map((client) => client.end()));
  }
}

async function connect(client: pg.Client): Promise<void> {
  // The event is ignored, because the next statement fails too.
  client.on('error', () => undefined);
  await client.connect();
}

async function serverPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
