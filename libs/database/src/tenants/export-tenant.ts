import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type ExportedTable, fileOf, MANIFEST, type Manifest, NDJSON, Tally } from './tenant-files.js';
import { inOneTransaction, quoted, schemaOf, TenantFault, type TenantTable, tenantTables } from './tenant-tables.js';

/**
 * Writes all rows of a tenant to a new folder, all tables as of one instant. The folder has a temporary name until it is whole.
 *
 * @throws TenantFault if the folder exists, or the tenant has no rows
 */
export async function exportTenant(
  client: pg.Client,
  about: Pick<Manifest, 'service' | 'version' | 'tenant'>,
  directory: string,
): Promise<Manifest> {
  const folder = resolve(directory);
  if (await stat(folder).catch(() => undefined)) throw new TenantFault([`${directory} exists: name a folder that does not`]);
  const partial = await mkdtemp(`${folder}.partial-`);
  try {
    const manifest = await inOneTransaction(client, 'isolation level repeatable read read only', async () => {
      const tables = await tenantTables(client);
      const { rows: clock } = await client.query<{ now: string }>(`select to_json(now()) #>> '{}' as now`);
      const files: ExportedTable[] = [];
      for (const table of tables) files.push(await writeTable(client, table, about.tenant, partial));
      if (files.every(({ rows }) => rows === 0)) throw new TenantFault([`${about.tenant} has no rows in this database`]);
      return { ...about, exported_at: clock[0]!.now, schema: await schemaOf(client), tables: files };
    });
    await writeWhole(join(partial, MANIFEST), [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
    await syncFolder(partial);
    await rename(partial, folder);
    await syncFolder(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function writeTable(client: pg.Client, { name, columns, key }: TenantTable, tenant: string, folder: string): Promise<ExportedTable> {
  const list = columns.map((column) => `t.${quoted(column)}`).join(', ');
  const order = key.map((column) => `t.${quoted(column)}`).join(', ');
  const rows = `select ${list} from ${quoted(name)} t where t.tenant = ${pg.escapeLiteral(tenant)} order by ${order}`;
  // row_to_json keeps the text of a json column and the digits of a number; jsonb would not.
  const copy = client.query(copyTo(`copy (select row_to_json(r) from (${rows}) r) to stdout (${NDJSON})`));
  const tally = new Tally();
  await writeWhole(join(folder, fileOf(name)), tally.pass(copy));
  if (copy.rowCount !== tally.rows) throw new Error(`${name} has a line break in a json column`);
  return { table: name, columns, ...tally.result() };
}

/** A file that only its owner can read: it may contain personal data, and the secrets of webhooks. */
async function writeWhole(path: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
}

/** So that the names of the files outlast a crash of the machine. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
