import type { QueryRunner } from 'typeorm';

/**
 * Builds indexes while others write, one after the other. For migrations that are not in a transaction.
 *
 * @param indexes by name: what stands behind `on`
 */
export async function buildIndexes(runner: QueryRunner, indexes: Readonly<Record<string, string>>): Promise<void> {
  // It waits for every transaction that is open, and holds nobody up meanwhile.
  await runner.query(`set lock_timeout = 0`);
  for (const [name, definition] of Object.entries(indexes)) {
    // Left behind, invalid, by an attempt that was interrupted.
    await runner.query(`drop index concurrently if exists ${name}`);
    await runner.query(`create index concurrently ${name} on ${definition}`);
  }
  await runner.query(`reset lock_timeout`);
}
