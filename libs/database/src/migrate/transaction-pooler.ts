import pg from 'pg';
import type { PostgresOptions } from '../connection/data-source.js';

/**
 * Whether a pooler in transaction mode stands between us and the server: each transaction of a connection then runs on
 * whatever server connection is free, and what a session keeps (locks, settings) does not stay with us.
 */
export async function isTransactionPooled({ url, extra }: PostgresOptions): Promise<boolean> {
  const [first, ...others] = Array.from({ length: 3 }, () => new pg.Client({ ...(extra as pg.ClientConfig), connectionString: url }));
  try {
    await connect(first!);
    const pid = await serverPid(first!);
    // In transaction mode one of these gets the server connection that the first one had, or the first one gets another. Two
    // of them, because some poolers hand out the connection that was used last, and some the one used longest ago.
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
  // The next statement fails too.
  client.on('error', () => undefined);
  await client.connect();
}

async function serverPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
