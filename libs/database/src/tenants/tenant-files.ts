import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TenantFault } from './tenant-tables.js';

/** What an export consists of: the file `manifest.json`. */
export interface Manifest {
  readonly service: string;
  /** Version of the product; only the schema decides what can be imported. */
  readonly version: string;
  readonly tenant: string;
  /** When the snapshot of all tables was taken. */
  readonly exported_at: string;
  /** Names of the migrations. */
  readonly schema: readonly string[];
  readonly tables: readonly ExportedTable[];
}

/** The rows of a table, in the file `TABLE.ndjson`: one JSON object a line. */
export interface ExportedTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export const MANIFEST = 'manifest.json';
export const fileOf = (table: string): string => `${table}.ndjson`;

/** COPY options for one column of JSON: its text contains neither of these two characters, so COPY quotes nothing. */
export const NDJSON = `format csv, quote E'\\x01', delimiter E'\\x02'`;

/** Counts and hashes what passes through. */
export class Tally {
  rows = 0;
  bytes = 0;
  private readonly hash = createHash('sha256');

  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.bytes += chunk.length;
      this.hash.update(chunk);
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.rows++;
      yield chunk;
    }
  }

  /** To be called once, at the end. */
  result(): Pick<ExportedTable, 'rows' | 'bytes' | 'sha256'> {
    return { rows: this.rows, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

/** @throws TenantFault if the folder has no manifest of the service */
export async function readManifest(directory: string, service: string): Promise<Manifest> {
  const text = await readFile(join(directory, MANIFEST), 'utf8').catch((error: Error) => {
    throw new TenantFault([`${MANIFEST}: ${error.message}`]);
  });
  const manifest = parsed(text);
  if (!manifest) throw new TenantFault([`${MANIFEST}: not the manifest of an export`]);
  if (manifest.service !== service) throw new TenantFault([`${MANIFEST}: this is an export of ${manifest.service}, not of ${service}`]);
  return manifest;
}

function parsed(text: string): Manifest | undefined {
  try {
    const { service, tenant, schema, tables } = JSON.parse(text) as Manifest;
    const isWhole =
      typeof service === 'string' &&
      typeof tenant === 'string' &&
      Array.isArray(schema) &&
      Array.isArray(tables) &&
      tables.every((entry: Partial<ExportedTable> | null) => typeof entry?.table === 'string' && Array.isArray(entry.columns));
    return isWhole ? (JSON.parse(text) as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** @returns what is wrong with a file, by its name */
export async function faultsOf(directory: string, { table, rows, bytes, sha256 }: ExportedTable): Promise<string[]> {
  const tally = new Tally();
  try {
    for await (const _chunk of tally.pass(createReadStream(join(directory, fileOf(table))))) void _chunk;
  } catch (error) {
    return [`${fileOf(table)}: ${(error as Error).message}`];
  }
  const found = tally.result();
  const faults: string[] = [];
  if (found.rows !== rows) faults.push(`${fileOf(table)}: ${found.rows} rows, but ${rows} in the manifest`);
  if (found.bytes !== bytes) faults.push(`${fileOf(table)}: ${found.bytes} bytes, but ${bytes} in the manifest`);
  if (found.sha256 !== sha256) faults.push(`${fileOf(table)}: its SHA-256 is ${found.sha256}, but ${sha256} in the manifest`);
  return faults;
}
