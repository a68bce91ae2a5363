import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** An empty directory below the temporary one, for a server's data. */
export function temporaryRoot(): string {
  return path.join(os.tmpdir(), `fibre-database-${randomBytes(6).toString('hex')}`);
}

/** Removes a root and data that had to live elsewhere. */
export function removeRoot(root: string, dataDir = root): void {
  for (const directory of [dataDir, root]) fs.rmSync(directory, { recursive: true, force: true });
}

/** Runs one query on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
