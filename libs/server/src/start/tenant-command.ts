import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { eraseTenant, exportTenant, importTenant, TenantFault } from '@fibre/database';
import pg from 'pg';
import { exitOnFailure } from './exit-on-failure.js';
import { readDatabaseUrl, type ServerEnv } from '../env/server.env.js';
import type { ServiceDefinition } from './service-definition.js';

const USAGE = `Usage:
  tenant.js export TENANT FOLDER                        writes all rows of the tenant to a new folder
  tenant.js import FOLDER                               reads such a folder into a database without this tenant
  tenant.js erase TENANT --confirm TENANT [--and-feeds] deletes all rows of the tenant`;

type Command = (client: pg.Client) => Promise<string[]>;

/**
 * Takes a tenant out of a service, or into it, and exits.
 *
 * @param manifest the service's package.json, which has the version
 */
export const runTenantCommand = <E extends ServerEnv>(service: ServiceDefinition<E>, manifest: URL): Promise<void> =>
  exitOnFailure(
    `${service.name}: the tenant command`,
    async () => void process.stdout.write(await tenantCommand(service, manifest, process.argv.slice(2), readDatabaseUrl())),
    'failed',
  );

/** Runs the command on a database. @returns what it says @throws TenantFault with what it says if it changed nothing */
export async function tenantCommand<E extends ServerEnv>(
  service: ServiceDefinition<E>,
  manifest: URL,
  args: string[],
  databaseUrl: string,
): Promise<string> {
  const lines = await withClient(databaseUrl, `${service.name}-tenant`, commandOf(service, args, manifest));
  return `${lines.join('\n')}\n`;
}

function commandOf<E extends ServerEnv>(service: ServiceDefinition<E>, args: string[], manifest: URL): Command {
  const { name, tenants } = service;
  const { positionals, values } = parsed(args);
  const [verb, first = '', second = ''] = positionals;
  const isErasure = verb === 'erase';
  const wanted = { export: 3, import: 2, erase: 2 }[verb ?? ''];
  if (positionals.length !== wanted || (!isErasure && Object.keys(values).length > 0)) throw new TenantFault([USAGE]);
  if (verb === 'export')
    return async (client) => {
      const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
      const { exported_at, tables } = await exportTenant(client, { service: name, version, tenant: first }, second);
      return [`exported ${first} as of ${exported_at} to ${second}:`, ...tables.map(({ table, rows }) => countLine(table, rows))];
    };
  if (verb === 'import')
    return async (client) => {
      const { tenant, tables } = await importTenant(client, name, first, tenants);
      const arrived = tables.filter(({ table }) => !tenants.leftBehind.includes(table));
      const lines = arrived.map(({ table, rows }) => countLine(table, rows));
      return [`imported ${tenant}:`, ...lines, 'Its webhooks are disabled. Enable them once the old installation no longer sends.'];
    };
  if (values.confirm !== first) throw new TenantFault([`nothing was erased: to erase ${first}, add --confirm ${first}`]);
  return async (client) => {
    const { erased, kept } = await eraseTenant(client, first, tenants, values['and-feeds'] === true);
    const lines = [...erased].map(([table, rows]) => countLine(table, rows));
    return [
      `erased ${first}:${lines.length === 0 ? ' it had no rows' : ''}`,
      ...lines,
      ...(kept.size === 0
        ? ['No rows are left.']
        : [
            `These rows stay for now, so that those who follow a feed are told what has ended:`,
            ...[...kept].map(([table, rows]) => countLine(table, rows)),
            'They have ids and times only. They go after 30 days (docs/operations.md says how), or now with --and-feeds.',
          ]),
      'Backups, archived WAL, logs, and what others have copied from the APIs still have its data.',
    ];
  };
}

const countLine = (table: string, rows: number): string => `  ${table}: ${rows}`;

function parsed(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { confirm: { type: 'string' }, 'and-feeds': { type: 'boolean' } } });
  } catch (error) {
    throw new TenantFault([(error as Error).message, USAGE]);
  }
}

/** Runs `command` on a connection without limits of time. */
async function withClient(connectionString: string, applicationName: string, command: Command): Promise<string[]> {
  const client = new pg.Client({ connectionString, application_name: applicationName, options: '-c statement_timeout=0' });
  // The statement fails too; without a listener, the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await command(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
