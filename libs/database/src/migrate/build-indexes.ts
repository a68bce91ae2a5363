import type { QueryRunner } from 'typeorm';

/**
 * Builds indexes one by one without blocking writes. Only for migrations outside a transaction.
 *
 * @param indexes name to the part after `on`
 */
export async function buildIndexes(runner: QueryRunner, indexes: Readonly<Record<string, string>>): Promise<void> {
  // It waits for every open transaction, but blocks nobody meanwhile.
  await runner.query(`set lock_timeout = 0`);
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted attempt leaves an invalid index.
    await runner.query(`drop index concurrently if exists ${name}`);
    await runner.query(`create index concurrently ${name} on ${definition}`);
  }
  await runner.query(`reset lock_timeout`);
}
