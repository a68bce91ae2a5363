import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@fibre/embedded-postgres';
import pg from 'pg';
import { testServer } from './jest-global-setup.js';
import { databaseUrl, dropDatabase } from './server-client.js';

const OPERATIONS = join(import.meta.dirname, '../../../../docs/operations.md');

/** An empty database and its two roles. */
export interface LeastPrivilegeDatabase {
  migrateUrl: string;
  serveUrl: string;
  /** Drops the database and its roles, closing the connections. */
  close(): Promise<void>;
}

/** Creates the database and its roles with the SQL from docs/operations.md, as an administrator who is not a superuser. */
export async function createLeastPrivilegeDatabase(): Promise<LeastPrivilegeDatabase> {
  const { serverUrl, directUrl } = testServer();
  const name = `least_${randomBytes(6).toString('hex')}`;
  const [onServer, inDatabase] = documentedStatements(name);
  const [migrate, serve, admin] = [`${name}_migrate`, `${name}_serve`, `${name}_admin`] as const;
  const adminUrl = urlOf(directUrl, name, admin);

  await withClient(directUrl, (client) => client.query(`create role ${admin} login createrole createdb password '${admin}'`));
  for (const [url, statements] of [
    [databaseUrl(adminUrl, new URL(serverUrl).pathname.slice(1)), onServer],
    [adminUrl, inDatabase],
  ] as const) {
    await withClient(url, async (client) => {
      for (const statement of statements!) await client.query(statement);
    });
  }
  return {
    migrateUrl: urlOf(directUrl, name, migrate),
    serveUrl: urlOf(serverUrl, name, serve),
    close: () =>
      withClient(directUrl, async (client) => {
        await dropDatabase(directUrl, name);
        for (const role of [migrate, serve, admin]) await client.query(`drop role ${pg.escapeIdentifier(role)}`);
      }),
  };
}

/** The statements before and after `\connect`, with this name instead of `coverage`, and each role's name as its password. */
function documentedStatements(name: string): string[][] {
  const [, sql] = /```sql\n(create role .*?)```/s.exec(readFileSync(OPERATIONS, 'utf8')) ?? [];
  if (!sql) throw new Error('docs/operations.md does not contain the SQL for the roles');
  return sql
    .replaceAll('coverage', name)
    .replaceAll(/create role (\w+) login password '[^']*'/g, "create role $1 login password '$1'")
    .split(/^\\connect .*$/m)
    .map((part) => part.split(/;$/m).filter((statement) => statement.trim() !== ''));
}

function urlOf(serverUrl: string, database: string, role: string): string {
  const url = new URL(databaseUrl(serverUrl, database));
  url.username = url.password = role;
  return url.href;
}
