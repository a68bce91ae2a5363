import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlMigration } from './sql-migration.js';

/** TypeORM orders migrations by the last 13 digits of their names: these run last. */
const AFTER_ALL_OTHERS = '9999999999999';

/**
 * A migration that runs after all others, and again whenever its text has changed. It lets a database function have a single source, in the
 * folder of its feature. The migration's name contains a hash of the text, so the table `migrations` shows which text was applied last.
 *
 *     // events/event-functions.sql.ts
 *     export const EventFunctions = repeatableMigration('EventFunctions', [
 *       `set local citus.multi_shard_modify_mode to 'sequential'`,
 *       `create or replace function append_event(...) ...`,
 *     ]);
 *
 *     // schema.ts
 *     migrations: [..., EventFunctions]
 *
 * @param label beginning of the name, unique among the migrations
 */
export function repeatableMigration(label: string, statements: readonly string[]): new () => MigrationInterface {
  const hash = createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 12);
  return class extends sqlMigration(`${label}-${hash}-${AFTER_ALL_OTHERS}`, statements) {
    override async up(runner: QueryRunner): Promise<void> {
      await super.up(runner);
      // After a rollback to an earlier release, the text of that release has to run again.
      await runner.query('delete from migrations where starts_with(name, $1)', [`${label}-`]);
    }
  };
}
