import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource, dataSourceOptions, type DataSourceSettings, migrate, openDataSource } from '@fibre/database';
import { startSmallPooler } from './small-pooler.js';
import { query, startTestDatabase, type TestDatabase } from './test-database.js';

class CreateThing1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table thing (id int constraint thing_pk primary key)');
  }
  async down(): Promise<void> {}
}

let server: TestDatabase;
let pooler: Awaited<ReturnType<typeof startSmallPooler>>;

beforeEach(async () => {
  server = await startTestDatabase();
  pooler = await startSmallPooler(server.directUrl);
});
afterEach(async () => {
  await pooler.stop();
  await server.stop();
});

const settings = (url: string): DataSourceSettings => ({
  ...{ url, poolSize: 1, applicationName: 'spec', entities: [], migrations: [CreateThing1700000000001] },
});
const open = async (url: string): Promise<void> => {
  const dataSource = await openDataSource(dataSourceOptions(settings(url)));
  await dataSource.destroy();
};

test('migrations that are pending are refused through a pooler in transaction mode, and nothing is left of the attempt', async () => {
  const through = createDataSource(settings(pooler.url));
  await expect(migrate(through)).rejects.toThrow(
    'migrations are pending, but the schema cannot be changed through a pooler in transaction mode',
  );
  await expect(query(server.directUrl, `select to_regclass('thing') as thing, to_regclass('migrations') as migrations`)).resolves.toEqual([
    { thing: null, migrations: null },
  ]);
  await expect(migrate(createDataSource(settings(server.directUrl)))).resolves.toEqual(['CreateThing1700000000001']);
  await expect(migrate(through)).resolves.toEqual([]);
});

test('limits that are not in force are told at the start', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  await open(server.directUrl);
  expect(warn).not.toHaveBeenCalled();
  await open(`${server.directUrl}?statement_timeout=0&idle_in_transaction_session_timeout=0`);
  expect(warn).toHaveBeenCalledWith(
    expect.stringContaining('not in force on the database connections: idle_in_transaction_session_timeout, statement_timeout. '),
  );
  warn.mockRestore();
});
