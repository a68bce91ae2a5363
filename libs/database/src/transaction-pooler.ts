import pg from 'pg';
import type { PostgresOptions } from './data-source.js';

/** pg's client, and which process of the server serves it, by the word of whom it connected to. */
interface NamedClient extends pg.Client {
  readonly processID: number;
}

/**
 * Whether a pooler in transaction mode stands between us and the server: each transaction of a connection then runs on
 * whatever server connection is free, and what a session keeps (locks, settings, prepared statements) does not stay with us.
 */
export async function isTransactionPooled(options: PostgresOptions): Promise<boolean> {
  const first = clientOf(options);
  const others = [clientOf(options), clientOf(options)];
  try {
    await first.connect();
    const pid = await serverPid(first);
    // A server tells the process that it gives us; a pooler makes one up.
    if (pid === first.processID) return false;
    // In transaction mode one of these gets the server connection that the first one had, or the first one gets another. Two
    // of them, for some poolers hand out what was used last, and some what was used longest ago.
    for (const other of others) {
      await other.connect();
      await other.query('begin');
      if ((await serverPid(other)) === pid || (await serverPid(first)) !== pid) return true;
    }
    return false;
  } finally {
    await Promise.all([first, ...others].map((client) => client.end()));
  }
}

/**
 * Whether prepared statements reach the server under the names that we give them. Through a pooler in transaction mode they
 * must not: clients would run the statements of others that had their server connection before.
 */
export async function passesNamesOn(options: PostgresOptions): Promise<boolean> {
  const client = clientOf(options);
  const name = 'fibre-name-check';
  try {
    await client.connect();
    await client.query('begin');
    const { rows } = await client.query({ name, text: 'select from pg_prepared_statements where name = $1', values: [name] });
    if (rows.length > 0) await client.query(`deallocate ${pg.escapeIdentifier(name)}`);
    await client.query('commit');
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

function clientOf({ url, extra }: PostgresOptions): NamedClient {
  const client = new pg.Client({ ...(extra as pg.ClientConfig), connectionString: url });
  // Whatever is asked of it next fails too.
  client.on('error', () => undefined);
  return client as NamedClient;
}

async function serverPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
