import { mock } from 'node:test';
import { Logger } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createDataSource, dataSourceOptions, type DataSourceSettings, migrate, openDataSource } from '@fibre/database';
import { startSmallPooler } from './small-pooler.js';
import { query, startTestDatabase, type TestDatabase } from '../test-database.js';

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
  url,
  poolSize: 1,
  applicationName: 'spec',
  entities: [],
  migrations: [CreateThing1700000000001],
});
const open = async (url: string): Promise<void> => {
  const dataSource = await openDataSource(dataSourceOptions(settings(url)));
  await dataSource.destroy();
};

test('pending migrations are rejected behind a pooler in transaction mode, and the attempt leaves no trace', async () => {
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

test('startup warns about limits that have no effect', async () => {
  const warn = mock.method(Logger.prototype, 'warn', () => undefined).mock;
  await open(server.directUrl);
  expect(warn.callCount()).toBe(0);
  await open(`${server.directUrl}?statement_timeout=0&idle_in_transaction_session_timeout=0`);
  expect(warn.calls.map(({ arguments: [message] }) => message as string)).toContainEqual(
    expect.stringContaining(
      'these limits have no effect on the database connections: idle_in_transaction_session_timeout, statement_timeout. ',
    ),
  );
  warn.restore();
});
