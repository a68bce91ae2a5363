import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration that runs statements in one transaction. It cannot be undone: the previous version works with the new schema.
 *
 * @param name ends with the migration's time, by which TypeORM orders migrations
 * @param statements in order; a text may contain several
 */
export function sqlMigration(name: string, statements: readonly string[]): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    async down(): Promise<void> {}
  };
}
