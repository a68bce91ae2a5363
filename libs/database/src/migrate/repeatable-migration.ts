import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** TypeORM orders migrations by the last 13 digits of their names: these come after all others. */
const AFTER_ALL_OTHERS = '9999999999999';

/** What a {@link repeatableMigration} makes in the database. */
export interface RepeatableText {
  /** Statements that create or replace it, in one transaction. */
  readonly up: readonly string[];
  /** Statements that drop it. */
  readonly down: readonly string[];
}

/**
 * A migration that runs after all others, and again whenever its text has changed: for a function of the database, whose one text stands
 * in its feature. The hash of the text is part of the migration's name, so the table `migrations` says which text was applied last.
 *
 *     // timeline/append-event.sql.ts
 *     export const AppendEvent = repeatableMigration('AppendEvent', {
 *       up: [`set local citus.multi_shard_modify_mode to 'sequential'`, `create or replace function append_event(...) ...`],
 *       down: ['drop function append_event(...)'],
 *     });
 *
 *     // schema.ts
 *     migrations: [..., AppendEvent]
 *
 * @param label begins the name; no other migration begins with it
 */
export function repeatableMigration(label: string, { up, down }: RepeatableText): new () => MigrationInterface {
  const hash = createHash('sha256').update(JSON.stringify(up)).digest('hex').slice(0, 12);
  return class implements MigrationInterface {
    readonly name = `${label}-${hash}-${AFTER_ALL_OTHERS}`;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of up) await runner.query(statement);
      // So that an earlier text runs again when a release goes back to it.
      await runner.query('delete from migrations where starts_with(name, $1)', [`${label}-`]);
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const statement of down) await runner.query(statement);
    }
  };
}
