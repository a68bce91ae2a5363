import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type ExportedTable, faultsOf, fileOf, type Manifest, NDJSON, readManifest } from './tenant-files.js';
import {
  countRows,
  inOneTransaction,
  quoted,
  schemaOf,
  TenantFault,
  type TenantRules,
  type TenantTable,
  tenantTables,
} from './tenant-tables.js';

/**
 * Reads an export into a database that has no rows of the tenant, in one transaction: all or nothing.
 *
 * @throws TenantFault naming all that is wrong, before anything is written
 */
export async function importTenant(client: pg.Client, service: string, directory: string, rules: TenantRules): Promise<Manifest> {
  const manifest = await readManifest(directory, service);
  const { tenant } = manifest;
  const faults: string[] = [];
  for (const table of manifest.tables) faults.push(...(await faultsOf(directory, table)));
  const tables = await inOneTransaction(client, '', async () => {
    const tables = await tenantTables(client);
    faults.push(...schemaFaults(manifest, tables, await schemaOf(client)));
    for (const [name, rows] of await countRows(client, tables, tenant)) faults.push(`${name}: this database has ${rows} rows of ${tenant}`);
    if (faults.length > 0) throw new TenantFault(faults);
    for (const statement of rules.beforeArrival) await client.query(statement, [tenant]);
    for (const table of tables) {
      if (rules.leftBehind.includes(table.name)) continue;
      const exported = manifest.tables.find((entry) => entry.table === table.name)!;
      await readTable(client, table, exported, { tenant, directory, replaced: rules.replaced });
    }
    for (const statement of rules.afterArrival) await client.query(statement, [tenant]);
    return tables;
  });
  for (const statement of rules.afterCommit) await client.query(statement, [tenant]);
  // An empty database has no statistics yet.
  for (const { name } of tables) await client.query(`analyze ${quoted(name)}`);
  return manifest;
}

function schemaFaults(manifest: Manifest, tables: readonly TenantTable[], schema: readonly string[]): string[] {
  const faults: string[] = [];
  const missing = manifest.schema.filter((name) => !schema.includes(name));
  const newer = schema.filter((name) => !manifest.schema.includes(name));
  if (missing.length > 0) faults.push(`schema: this database lacks ${missing.join(', ')}; import with the version that exported`);
  if (newer.length > 0) faults.push(`schema: the export lacks ${newer.join(', ')}; import with the version that exported`);
  for (const { table } of manifest.tables)
    if (!tables.some(({ name }) => name === table)) faults.push(`${fileOf(table)}: this database has no table of tenants with this name`);
  for (const { name, columns } of tables) {
    const exported = manifest.tables.find(({ table }) => table === name);
    if (!exported) faults.push(`${fileOf(name)}: the manifest does not list it`);
    else if (exported.columns.join() !== columns.join()) faults.push(`${fileOf(name)}: other columns than those of this database`);
  }
  return faults;
}

interface Arrival extends Pick<TenantRules, 'replaced'> {
  readonly tenant: string;
  readonly directory: string;
}

async function readTable(client: pg.Client, { name, columns }: TenantTable, exported: ExportedTable, arrival: Arrival): Promise<void> {
  if (exported.rows === 0) return;
  const { tenant, directory, replaced } = arrival;
  await client.query('create temporary table arriving (line json not null) on commit drop');
  await pipeline(createReadStream(join(directory, fileOf(name))), client.query(copyFrom(`copy arriving from stdin (${NDJSON})`)));
  const { rows } = await client.query<{ count: string }>(`select count(*) from arriving a where a.line ->> 'tenant' is distinct from $1`, [
    tenant,
  ]);
  if (rows[0]!.count !== '0') throw new TenantFault([`${fileOf(name)}: ${rows[0]!.count} rows are not of ${tenant}`]);
  const list = columns.map(quoted).join(', ');
  const values = columns.map((column) => replaced[`${name}.${column}`] ?? `r.${quoted(column)}`).join(', ');
  const { rowCount } = await client.query(
    `insert into ${quoted(name)} (${list}) select ${values} from arriving a cross join lateral json_populate_record(null::${quoted(name)}, a.line) r`,
  );
  if (rowCount !== exported.rows) throw new TenantFault([`${fileOf(name)}: ${rowCount} rows, but ${exported.rows} in the manifest`]);
  await client.query('drop table arriving');
}
