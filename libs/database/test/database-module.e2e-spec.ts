import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner, Repository } from 'typeorm';
import { createDataSource, Database, DatabaseModule, type DatabaseSettings } from '@fibre/database';
import { requireVersion } from '../src/connection/data-source.js';
import { startTestDatabase } from './test-database.js';

@Entity('thing')
class Thing {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'text' })
  name!: string;
}

class CreateThing1700000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table thing (id int constraint thing_pk primary key, name text not null)');
  }
  async down(): Promise<void> {}
}

@Injectable()
class Things {
  constructor(
    @InjectRepository(Thing) readonly repository: Repository<Thing>,
    readonly database: Database,
  ) {}
}

function start(settings: { url: string } & Partial<DatabaseSettings>) {
  @Module({
    imports: [
      DatabaseModule.forRoot({
        poolSize: 2,
        applicationName: 'spec',
        entities: [Thing],
        migrations: [CreateThing1700000000001],
        migrateOnStart: true,
        ...settings,
      }),
      TypeOrmModule.forFeature([Thing]),
    ],
    providers: [Things],
  })
  class AppModule {}

  return NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false });
}

let server: Awaited<ReturnType<typeof startTestDatabase>>;

beforeAll(async () => void (server = await startTestDatabase()));
afterAll(() => server.stop());

test('the module migrates, serves repositories and statements from one pool, and closes it', async () => {
  const app = await start({ url: server.directUrl });
  const { repository, database } = app.get(Things);
  await repository.insert({ id: 1, name: 'one' });
  await expect(database.run({ name: 'thing', text: 'select name from thing', values: [] })).resolves.toEqual([{ name: 'one' }]);
  const dataSource = app.get(DataSource);
  expect(dataSource.isInitialized).toBe(true);
  await app.close();
  expect(dataSource.isInitialized).toBe(false);
});

test('several replicas may start at the same time', async () => {
  const apps = await Promise.all([1, 2, 3].map(() => start({ url: server.directUrl })));
  await Promise.all(apps.map((app) => app.close()));
});

test('if the database is unreachable, startup fails with one line that omits the password', async () => {
  const started = start({ url: 'postgres://someone:secret-word@127.0.0.1:1/coverage', retryAttempts: 1 });
  const error = (await started.catch((failure: unknown) => failure)) as Error;
  expect(error.message).toBe('the database cannot be used: connect ECONNREFUSED 127.0.0.1:1');
});

test('if the database is unusable, startup fails immediately', async () => {
  const url = new URL(server.directUrl);
  url.password = 'secret-word';
  url.username = 'stranger';
  const error = (await start({ url: url.href }).catch((failure: unknown) => failure)) as Error;
  expect(error.message).toMatch(/^the database cannot be used: .*stranger/);
  expect(error.message).not.toContain('secret-word');
});

test('a server that is too old is refused, with its version and the one that is needed', async () => {
  const dataSource = await createDataSource({
    url: server.directUrl,
    poolSize: 1,
    applicationName: 'spec',
    entities: [],
    migrations: [],
  }).initialize();
  const version = dataSource.driver.version!;
  await dataSource.destroy();

  expect(() => requireVersion(dataSource)).not.toThrow();
  expect(() => requireVersion(dataSource, 99)).toThrow(`the database server is PostgreSQL ${version}, but 99 or later is needed`);
});
