import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@fibre/database';
import pg from 'pg';
import { BENCH_DIR, migrate, schemaOf } from '../service.js';
import { loadEvents } from './load-events.js';

/** The same for all sides: they use one server. */
const SERVER_SETTINGS = { shared_buffers: process.env.BENCH_SHARED_BUFFERS || '512MB', max_wal_size: '4GB', random_page_cost: '1.1' };
export const SERVICE = 'event-service';

/** A database for each number of events. */
export interface Databases {
  small: string;
  large: string;
  /** Version of the server. */
  postgres: string;
  stop: () => Promise<void>;
}

/** Two databases on one server with as many entities, alike but for the number of events; made once and found again by later runs. */
export async function startDatabases(small: number, large: number, issuer: string, say: (line: string) => void): Promise<Databases> {
  const server = await startEmbeddedPostgres({ root: join(BENCH_DIR, SERVICE), database: 'bench', settings: SERVER_SETTINGS });
  try {
    const [smallUrl, largeUrl] = [await prepare(server, small, small, issuer, say), await prepare(server, large, small, issuer, say)];
    const postgres = await ask(server.url, 'show server_version');
    return { small: smallUrl, large: largeUrl, postgres: String(postgres), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function prepare(server: EmbeddedPostgres, events: number, entities: number, issuer: string, say: (line: string) => void): Promise<string> {
  say(`preparing ${events} events of ${entities} entities`);
  const name = `events_${events}_of_${entities}_${schemaOf(SERVICE)}`;
  if ((await ask(server.url, `select datname from pg_database where datname = '${name}'`)) === undefined) await ask(server.url, `create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await migrate({ service: SERVICE, databaseUrl: url.href, issuer });
  await loadEvents(url.href, events, entities);
  return url.href;
}

/** The first value of the first row. */
async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
