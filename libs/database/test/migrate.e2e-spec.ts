import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createDataSource, type DataSourceSettings, migrate } from '@fibre/database';
import { query, startTestDatabase } from './test-database.js';

class CreateThing1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table thing (id int constraint thing_pk primary key)');
    await queryRunner.query('select pg_sleep(0.5)'); // longer than the statement timeout of the data source below
  }
  async down(): Promise<void> {}
}

class IndexThing1700000000002 implements MigrationInterface {
  transaction = false;
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

let server: Awaited<ReturnType<typeof startTestDatabase>>;

beforeEach(async () => void (server = await startTestDatabase()));
afterEach(() => server.stop());

function dataSource(migrations: DataSourceSettings['migrations']) {
  return createDataSource({ url: server.url, poolSize: 1, applicationName: 'spec', entities: [], migrations, statementTimeoutMs: 250 });
}

test('of five migrators at once one runs the migrations, the others find nothing to do', async () => {
  const migrators = Array.from({ length: 5 }, () => migrate(dataSource([IndexThing1700000000002, CreateThing1700000000001])));
  const ran = (await Promise.all(migrators)).filter((names) => names.length > 0);
  expect(ran).toEqual([['CreateThing1700000000001', 'IndexThing1700000000002']]);
  await expect(query(server.url, 'select name from migrations order by id')).resolves.toHaveLength(2);
});

test('a migration that fails leaves nothing behind and the lock free, and is repeated', async () => {
  const failing = dataSource([CreateThing1700000000001, FailHalfway1700000000003]);
  await expect(migrate(failing)).rejects.toThrow('Migration "FailHalfway1700000000003" failed, error: division by zero');
  await expect(migrate(failing)).rejects.toThrow('division by zero');
  await expect(
    query(server.url, `select to_regclass('thing') is not null as thing, to_regclass('half') is not null as half`),
  ).resolves.toEqual([{ thing: true, half: false }]);
  await expect(query(server.url, `select count(*)::int as locks from pg_locks where locktype = 'advisory'`)).resolves.toEqual([
    { locks: 0 },
  ]);
});

test('the wait for another migrator is bounded', async () => {
  const slow = migrate(dataSource([CreateThing1700000000001]));
  const impatient = Promise.all([1, 2].map(() => migrate(dataSource([CreateThing1700000000001]), { lockWaitMs: 1 })));
  await expect(impatient).rejects.toThrow('another process has been migrating');
  await slow;
});
