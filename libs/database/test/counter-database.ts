import { type DataSource } from 'typeorm';
import { createDataSource, Database, type DataSourceSettings } from '@fibre/database';
import { query, startTestDatabase, type TestDatabase } from './test-database.js';

export const find = { name: 'find-counter', text: 'select value from counter where id = $1', values: [1] };

export function sql(text: string, ...values: unknown[]) {
  return { name: text.slice(0, 50), text, values };
}

/** Gives all tests in a file one server with an empty `counter` table, and connections that close after each test. */
export function useCounterDatabase() {
  let server: TestDatabase;
  const open: DataSource[] = [];

  beforeAll(async () => {
    server = await startTestDatabase();
    await query(server.url, 'create table counter (id int constraint counter_pk primary key, value int not null)');
  });
  beforeEach(() => query(server.url, 'truncate counter'));
  afterEach(() => Promise.all(open.splice(0).map((dataSource) => dataSource.destroy())));
  afterAll(() => server.stop());

  return {
    /** Runs one query outside the connections under test. */
    ask: (text: string, values?: unknown[]) => query(server.url, text, values),
    /** For tests of session state: connects directly, bypassing any pooler. */
    direct: () => ({ url: server.directUrl }),
    connect: async (settings: Partial<DataSourceSettings> & { namedStatements?: boolean } = {}): Promise<Database> => {
      const dataSource = createDataSource({
        url: server.url,
        poolSize: 5,
        applicationName: 'spec',
        entities: [],
        migrations: [],
        ...settings,
      });
      open.push(await dataSource.initialize());
      return new Database(dataSource, { namedStatements: process.env.DATABASE_NAMED_STATEMENTS !== 'false', ...settings });
    },
  };
}
