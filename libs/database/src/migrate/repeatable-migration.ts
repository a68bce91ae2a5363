import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** TypeORM orders migrations by the last 13 digits of their names: these run last. */
const AFTER_ALL_OTHERS = '9999999999999';

/** The statements of a {@link repeatableMigration}. */
export interface RepeatableText {
  /** Statements that create or replace the function, in one transaction. */
  readonly up: readonly string[];
  /** Statements that drop it. */
  readonly down: readonly string[];
}

/**
 * A migration that runs after all others, and again whenever its text has changed. For a database function, whose only text is in its
 * feature. The migration's name contains a hash of the text, so the table `migrations` tells which text was applied last.
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
 * @param label beginning of the name, unique among the migrations
 */
export function repeatableMigration(label: string, { up, down }: RepeatableText): new () => MigrationInterface {
  const hash = createHash('sha256').update(JSON.stringify(up)).digest('hex').slice(0, 12);
  return class implements MigrationInterface {
    readonly name = `${label}-${hash}-${AFTER_ALL_OTHERS}`;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of up) await runner.query(statement);
      // After a rollback to an earlier release, its text has to run again.
      await runner.query('delete from migrations where starts_with(name, $1)', [`${label}-`]);
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const statement of down) await runner.query(statement);
    }
  };
}
