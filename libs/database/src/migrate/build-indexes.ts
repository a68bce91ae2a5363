import type { QueryRunner } from 'typeorm';

/**
 * Builds indexes one by one without blocking writes, and keeps those that an interrupted attempt has completed. Only for migrations outside
 * a transaction.
 *
 * @param indexes name to the part after `on`
 */
export async function buildIndexes(
  runner: QueryRunner,
  indexes: Readonly<Record<string, string>>,
  kind: 'index' | 'unique index' = 'index',
): Promise<void> {
  // `create index concurrently` waits for every open transaction, but blocks no one.
  await runner.query(`set lock_timeout = 0`);
  for (const [name, definition] of Object.entries(indexes)) {
    const built = (await runner.query(`select i.indisvalid from pg_index i where i.indexrelid = to_regclass($1)`, [name])) as {
      indisvalid: boolean;
    }[];
    if (built[0]?.indisvalid) continue;
    // An interrupted attempt leaves an invalid index.
    await runner.query(`drop index concurrently if exists ${name}`);
    await runner.query(`create ${kind} concurrently ${name} on ${definition}`);
  }
  await runner.query(`reset lock_timeout`);
}
