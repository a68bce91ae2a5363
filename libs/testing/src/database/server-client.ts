import { createDatabaseStatement, withClient } from '@fibre/embedded-postgres';
import pg from 'pg';

/** A server of a test database: one of a Citus cluster, or the only one. */
interface ServerNode {
  /** URL of the database with the same name on this server. */
  readonly url: string;
  /** Whether the server holds shards; `undefined` without Citus. */
  readonly holdsShards?: boolean;
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/** Creates an empty database; on the coordinator of a Citus cluster, the database becomes part of that cluster. */
export async function createDatabase(serverUrl: string, database: string): Promise<void> {
  await createLocalDatabase(serverUrl, database);
  const [coordinator] = await nodesOf(serverUrl);
  if (coordinator!.holdsShards !== undefined) await formCluster(serverUrl, database);
}

/** Creates an empty database only on this server. */
export const createLocalDatabase = (serverUrl: string, database: string): Promise<void> =>
  onNodes([{ url: serverUrl }], (client) => client.query(createDatabaseStatement(database)));

/** Makes a coordinator's database part of its cluster. Its tables stay where they are. */
export async function formCluster(serverUrl: string, database: string): Promise<void> {
  const [coordinator, ...workers] = await nodesOf(serverUrl);
  await onNodes(workers, (client) => client.query(createDatabaseStatement(database)));
  for (const { url } of [coordinator!, ...workers])
    await withClient(databaseUrl(url, database), (client) => client.query('create extension citus'));
  await withClient(databaseUrl(serverUrl, database), async (client) => {
    const { host, port } = placeOf(coordinator!.url);
    await client.query('select citus_set_coordinator_host($1, $2)', [host, port]);
    for (const worker of workers.map(({ url }) => placeOf(url)))
      await client.query('select citus_add_node($1, $2)', [worker.host, worker.port]);
    if (coordinator!.holdsShards) await client.query(`select citus_set_node_property($1, $2, 'shouldhaveshards', true)`, [host, port]);
  });
}

/** Stops the database from accepting connections, so that it can be copied at any time. */
export async function freezeDatabase(serverUrl: string, database: string): Promise<void> {
  await onNodes(await nodesOf(serverUrl), async (client) => {
    await client.query(`alter database ${pg.escapeIdentifier(database)} allow_connections false`);
    // Citus runs a daemon in each database.
    await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [database]);
  });
}

/** Copies a frozen database. Copying its files costs less than half of writing its pages to the log, the default. */
export const copyDatabase = async (serverUrl: string, template: string, copy: string): Promise<void> =>
  onNodes(await nodesOf(serverUrl), (client) =>
    client.query(`create database ${pg.escapeIdentifier(copy)} template ${pg.escapeIdentifier(template)} strategy file_copy`),
  );

/** Drops a database, closing its connections. */
export const dropDatabase = async (serverUrl: string, database: string): Promise<void> =>
  onNodes(await nodesOf(serverUrl), (client) => client.query(`drop database if exists ${pg.escapeIdentifier(database)} with (force)`));

/** @returns the servers, coordinator first */
async function nodesOf(serverUrl: string): Promise<ServerNode[]> {
  return withClient(serverUrl, async (client) => {
    const { rows: installed } = await client.query(`select 1 from pg_extension where extname = 'citus'`);
    if (installed.length === 0) return [{ url: serverUrl }];
    const { rows } = await client.query<{ nodename: string; nodeport: number; shouldhaveshards: boolean }>(
      `select nodename, nodeport, shouldhaveshards from pg_dist_node where noderole = 'primary' order by groupid`,
    );
    // Citus is installed on this one server, but has not been used yet.
    if (rows.length === 0) return [{ url: serverUrl, holdsShards: true }];
    return rows.map(({ nodename, nodeport, shouldhaveshards }) => {
      const url = new URL(serverUrl);
      [url.hostname, url.port] = [nodename, String(nodeport)];
      return { url: url.href, holdsShards: shouldhaveshards };
    });
  });
}

async function onNodes(nodes: ServerNode[], work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  for (const { url } of nodes) await withClient(url, work);
}

const placeOf = (url: string): { host: string; port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || 5_432) };
};
