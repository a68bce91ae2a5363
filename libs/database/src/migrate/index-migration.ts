import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type MigrationText, runStatements } from './sql-migration.js';

/** Indexes by name, with the SQL that follows `on`. As in PostgreSQL's own names, an index whose name ends with `_key` is unique. */
export type Indexes = Readonly<Record<string, string>>;

/** Indexes of a migration. */
export interface IndexChange {
  readonly build: Indexes;
  /** Indexes that are no longer needed. */
  readonly drop?: Indexes;
}

/** What an {@link indexMigration} does besides changing indexes. */
export interface IndexOptions {
  /** Statements that run first; if an attempt is interrupted, the next one runs them again. */
  readonly first?: MigrationText;
  /** A table whose new indexes have expressions: without statistics on them, the planner may choose a worse plan. */
  readonly analyzed?: string;
}

/**
 * A migration that changes indexes without blocking writes.
 *
 * @param name ends with the migration's time, by which TypeORM orders migrations
 */
export function indexMigration(name: string, change: IndexChange, { first, analyzed }: IndexOptions = {}): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;
    /** An index cannot be built concurrently in a transaction. */
    readonly transaction = false;

    async up(runner: QueryRunner): Promise<void> {
      await runStatements(runner, first?.up ?? []);
      await changeIndexes(runner, change);
      if (analyzed !== undefined) await runner.query(`analyze ${analyzed}`);
    }

    async down(runner: QueryRunner): Promise<void> {
      await restoreIndexes(runner, change);
      await runStatements(runner, first?.down ?? []);
    }
  };
}

/**
 * Builds and drops indexes one by one without blocking writes, and keeps those that an interrupted attempt has completed. Only for
 * migrations outside a transaction.
 */
export async function changeIndexes(runner: QueryRunner, { build, drop = {} }: IndexChange): Promise<void> {
  // Both statements wait for every open transaction, but block no one.
  await runner.query(`set lock_timeout = 0`);
  for (const [name, definition] of Object.entries(build)) {
    const built = (await runner.query(`select i.indisvalid from pg_index i where i.indexrelid = to_regclass($1)`, [name])) as {
      indisvalid: boolean;
    }[];
    if (built[0]?.indisvalid) continue;
    // An interrupted attempt leaves an invalid index.
    await runner.query(`drop index concurrently if exists ${name}`);
    await runner.query(`create ${kindOf(name)} concurrently ${name} on ${definition}`);
  }
  for (const name of Object.keys(drop)) await runner.query(`drop index concurrently if exists ${name}`);
  await runner.query(`reset lock_timeout`);
}

/** Undoes {@link changeIndexes} in a transaction, because TypeORM undoes every migration in one. */
export async function restoreIndexes(runner: QueryRunner, { build, drop = {} }: IndexChange): Promise<void> {
  for (const [name, definition] of Object.entries(drop)) await runner.query(`create ${kindOf(name)} ${name} on ${definition}`);
  for (const name of Object.keys(build)) await runner.query(`drop index ${name}`);
}

const kindOf = (name: string): string => (name.endsWith('_key') ? 'unique index' : 'index');
