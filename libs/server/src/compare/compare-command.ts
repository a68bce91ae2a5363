import { parseArgs } from 'node:util';
import { compareTables, type ComparedTable } from '@fibre/database';
import pg from 'pg';
import { exitOnFailure } from '../start/exit-on-failure.js';
import type { ServerEnv } from '../env/server.env.js';
import type { SampledRecord, ServiceDefinition } from '../start/service-definition.js';
import { compareAnswers, type Sample } from './compare-answers.js';

const USAGE = `Usage: compare.js --port PORT
  compares the database in DATABASE_URL with a restored copy, which another server on this machine serves at PORT`;

/** Records whose answers are compared. */
const SAMPLED = 10;

/**
 * Compares the database of a service with a restored copy, and the answers of the service on both. It writes to neither. Exits with 1 if
 * the copy lacks anything, with a line for each difference.
 */
export const runCompareCommand = <E extends ServerEnv>(service: ServiceDefinition<E>): Promise<void> =>
  exitOnFailure(
    `${service.name}: the comparison`,
    async () => {
      const port = portOf(process.argv.slice(2));
      const env = { ...service.readEnv() };
      if (!env.DATABASE_URL) throw new Error('DATABASE_URL is not set');
      const urls = [readOnly(env.DATABASE_URL), readOnly(copyOf(env.DATABASE_URL, port))] as const;
      const { tables, differences, samples } = await withClients(urls, (original, copy) => compare(service, original, copy));
      differences.push(...(await compareAnswers(service, env, urls, samples)));
      for (const table of tables) process.stdout.write(`${service.name}: ${described(table)}\n`);
      process.stdout.write(`${service.name}: ${samples.length} answers compared byte for byte\n`);
      for (const difference of differences) process.stderr.write(`${service.name}: ${difference}\n`);
      // Connections that the services still close must not delay the result.
      process.exit(differences.length > 0 ? 1 : 0);
    },
    'failed',
  );

function portOf(args: string[]): string {
  try {
    const { port = '' } = parseArgs({ args, options: { port: { type: 'string' } } }).values;
    if (/^\d{1,5}$/.test(port)) return port;
  } catch {
    // Any other argument.
  }
  throw new Error(USAGE);
}

async function compare<E extends ServerEnv>({ samples }: ServiceDefinition<E>, original: pg.Client, copy: pg.Client) {
  const compared = await compareTables(original, copy);
  const picked = await compared.pick<SampledRecord & { written_by: string }>(samples);
  const requests = picked.slice(0, SAMPLED).flatMap(({ tenant, paths }) => paths.map((path): Sample => ({ tenant, path })));
  return { tables: compared.tables, differences: [...compared.differences], samples: requests };
}

/** The database of the same name and role on this machine: over TCP, or in the same folder of sockets. */
function copyOf(databaseUrl: string, port: string): string {
  const url = new URL(databaseUrl);
  for (const name of [...url.searchParams.keys()]) if (name.startsWith('ssl')) url.searchParams.delete(name);
  if (url.hostname === '') url.searchParams.set('port', port);
  else {
    if (!/^%2f/i.test(url.hostname)) url.hostname = '127.0.0.1';
    url.port = port;
  }
  return url.href;
}

/** Whatever the service does by itself, such as sending webhooks or erasing, needs a write first. */
function readOnly(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c timezone=UTC -c default_transaction_read_only=on');
  return url.href;
}

async function withClients<T>(urls: readonly string[], work: (original: pg.Client, copy: pg.Client) => Promise<T>): Promise<T> {
  const clients = urls.map((connectionString) => new pg.Client({ connectionString, application_name: 'compare' }));
  try {
    for (const client of clients) {
      // The statement fails too; without a listener, the event would end the process.
      client.on('error', () => undefined);
      await client.connect();
      const { rows } = await client.query<{ readonly: string }>(`select current_setting('default_transaction_read_only') as readonly`);
      // Otherwise the service would work here as one more replica.
      if (rows[0]!.readonly !== 'on')
        throw new Error('a pooler ignores that the connection is to be read-only: use the URL of the server itself');
    }
    return await work(clients[0]!, clients[1]!);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

const described = ({ name, same, since: { written, changed, deleted } }: ComparedTable): string =>
  `${name}: ${same} rows are the same; since then ${written} new, ${changed} changed, ${deleted} deleted`;
