import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes by name, with the SQL that follows `on`. As in PostgreSQL's own names, an index whose name ends with `_key` is unique. */
type Indexes = Readonly<Record<string, string>>;

/** Indexes of a migration. */
export interface IndexChange {
  readonly build: Indexes;
  /** Indexes that are no longer needed. */
  readonly drop?: Indexes;
  /** A table whose new indexes have expressions: without statistics on them, the planner may choose a worse plan. */
  readonly analyzed?: string;
}

/**
 * A migration that builds and drops indexes one by one without blocking writes, and keeps those that an interrupted attempt has completed.
 *
 * @param name ends with the migration's time, by which TypeORM orders migrations
 */
export function indexMigration(name: string, { build, drop = {}, analyzed }: IndexChange): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;
    /** An index cannot be built concurrently in a transaction. */
    readonly transaction = false;

    async up(runner: QueryRunner): Promise<void> {
      // Both statements wait for every open transaction, but block no one.
      await runner.query('set lock_timeout = 0');
      for (const [index, definition] of Object.entries(build)) {
        const built = (await runner.query(`select i.indisvalid from pg_index i where i.indexrelid = to_regclass($1)`, [index])) as {
          indisvalid: boolean;
        }[];
        if (built[0]?.indisvalid) continue;
        // An interrupted attempt leaves an invalid index.
        await runner.query(`drop index concurrently if exists ${index}`);
        await runner.query(`create ${kindOf(index)} concurrently ${index} on ${definition}`);
      }
      for (const index of Object.keys(drop)) await runner.query(`drop index concurrently if exists ${index}`);
      await runner.query('reset lock_timeout');
      if (analyzed !== undefined) await runner.query(`analyze ${analyzed}`);
    }

    /** Blocks writes, because TypeORM undoes every migration in a transaction. */
    async down(runner: QueryRunner): Promise<void> {
      for (const [index, definition] of Object.entries(drop)) await runner.query(`create ${kindOf(index)} ${index} on ${definition}`);
      for (const index of Object.keys(build)) await runner.query(`drop index ${index}`);
    }
  };
}

const kindOf = (name: string): string => (name.endsWith('_key') ? 'unique index' : 'index');
