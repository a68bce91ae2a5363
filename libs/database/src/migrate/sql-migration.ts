import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Statements of a migration, in order, and the statements that undo them. A text may contain several statements. */
export interface MigrationText {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/**
 * A migration that runs statements in one transaction.
 *
 * @param name ends with the migration's time, by which TypeORM orders migrations
 */
export function sqlMigration(name: string, { up, down }: MigrationText): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;

    up(runner: QueryRunner): Promise<void> {
      return runEach(runner, up);
    }

    down(runner: QueryRunner): Promise<void> {
      return runEach(runner, down);
    }
  };
}

async function runEach(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runner.query(statement);
}
