import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createDataSource, type DataSourceSettings, migrate, repeatableMigration } from '@fibre/database';
import { withClient } from '@fibre/embedded-postgres';
import { query, startTestDatabase } from './test-database.js';

class CreateThing1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table thing (id int constraint thing_pk primary key)');
    await queryRunner.query('select pg_sleep(3)'); // longer than the statement timeout of the data source below
  }
  async down(): Promise<void> {}
}

/** Builds an index without blocking writers. */
class IndexThing1700000000002 implements MigrationInterface {
  readonly transaction = false;
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create index concurrently thing_idx on thing (id)');
  }
  async down(): Promise<void> {}
}

class FailHalfway1700000000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table half (id int)');
    await queryRunner.query('select 1 / 0');
  }
  async down(): Promise<void> {}
}

/** Blocks the migration while the test holds the lock. */
class WaitForTest1700000000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('select pg_advisory_xact_lock(1)');
  }
  async down(): Promise<void> {}
}

/** Longer than any test takes. */
const LONG_MS = 1_800_000;
/** Matches only advisory locks of this database, because other tests may use the same server. */
const ADVISORY = `locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;

let server: Awaited<ReturnType<typeof startTestDatabase>>;

beforeEach(async () => void (server = await startTestDatabase()));
afterEach(() => server.stop());

function dataSource(migrations: DataSourceSettings['migrations'], lockTimeoutMs?: number) {
  const limits = { statementTimeoutMs: 2_000, lockTimeoutMs };
  return createDataSource({ url: server.directUrl, poolSize: 1, applicationName: 'spec', entities: [], migrations, ...limits });
}

test('when five processes migrate at once, one runs the migrations and the others find nothing to do', async () => {
  const migrators = Array.from({ length: 5 }, () => migrate(dataSource([IndexThing1700000000002, CreateThing1700000000001])));
  const ran = (await Promise.all(migrators)).filter((names) => names.length > 0);
  expect(ran).toEqual([['CreateThing1700000000001', 'IndexThing1700000000002']]);
  await expect(query(server.directUrl, 'select name from migrations order by id')).resolves.toHaveLength(2);
});

test('a failed migration leaves no changes and no lock, and the next run tries it again', async () => {
  const failing = dataSource([CreateThing1700000000001, FailHalfway1700000000003]);
  await expect(migrate(failing)).rejects.toThrow('Migration "FailHalfway1700000000003" failed, error: division by zero');
  await expect(migrate(failing)).rejects.toThrow('division by zero');
  await expect(
    query(server.directUrl, `select to_regclass('thing') is not null as thing, to_regclass('half') is not null as half`),
  ).resolves.toEqual([{ thing: true, half: false }]);
  await expect(query(server.directUrl, `select count(*)::int as locks from pg_locks where ${ADVISORY}`)).resolves.toEqual([{ locks: 0 }]);
});

test('the wait for another migrating process is bounded', async () => {
  await withClient(server.directUrl, async (client) => {
    await client.query('select pg_advisory_lock(1)');
    const slow = migrate(dataSource([WaitForTest1700000000004], LONG_MS));
    while ((await query(server.directUrl, `select from pg_locks where ${ADVISORY} and not granted`)).length === 0) await sleep(10);
    await expect(migrate(dataSource([]), { lockWaitMs: 1 })).rejects.toThrow('another process has been migrating');
    await client.query('select pg_advisory_unlock(1)');
    await slow;
  });
});

describe('a repeatable migration', () => {
  const answer = (text: string) => repeatableMigration('Answer', [`create or replace function answer() returns text return ${text}`]);
  const ask = async () => (await query(server.directUrl, 'select answer()'))[0];

  test('runs after all others, and again only if its text has changed, even back to an earlier text', async () => {
    const things = `(select 'things: ' || count(*) from thing)`;
    const migrateWith = (text: string) => migrate(dataSource([answer(text), CreateThing1700000000001]));
    const [created, first] = await migrateWith(things);
    expect([created, first]).toEqual(['CreateThing1700000000001', expect.stringMatching(/^Answer-/)]);
    expect(await ask()).toEqual({ answer: 'things: 0' });
    expect(await migrateWith(things)).toEqual([]);

    const [second] = await migrateWith(`'other'`);
    expect(second).toMatch(/^Answer-/);
    expect(await ask()).toEqual({ answer: 'other' });
    expect(await migrateWith(things)).toEqual([first]);
    expect(await ask()).toEqual({ answer: 'things: 0' });
  });

  test('if it fails, the run fails and the earlier text is kept', async () => {
    await migrate(dataSource([answer(`'right'`)]));
    await expect(migrate(dataSource([answer('no_column')]))).rejects.toThrow(/Migration "Answer-.*" failed, error: column "no_column"/);
    expect(await ask()).toEqual({ answer: 'right' });
    await expect(migrate(dataSource([answer('no_column')]))).rejects.toThrow('no_column');
    expect(await migrate(dataSource([answer(`'right'`)]))).toEqual([]);
  });
});
