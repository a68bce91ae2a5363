import {
  createDataSource,
  Database,
  type DataSourceSettings,
  isConnectionRejected,
  isDatabaseUnavailable,
  isTimeout,
  isUniqueViolation,
  sqlState,
} from '@fibre/database';
import { startTemporaryPostgres } from '@fibre/embedded-postgres';
import { query, startTestDatabase } from '../test-database.js';

let server: Awaited<ReturnType<typeof startTestDatabase>>;

beforeAll(async () => void (server = await startTestDatabase()));
afterAll(() => server.stop());

const settings = (more: Partial<DataSourceSettings> = {}): DataSourceSettings => ({
  url: server.url,
  poolSize: 1,
  applicationName: 'spec',
  entities: [],
  migrations: [],
  ...more,
});

/** The error from connecting a new data source, or from `work` on it. */
async function failure(
  more: Partial<DataSourceSettings>,
  work: (database: Database) => Promise<unknown> = () => Promise.resolve(),
): Promise<unknown> {
  const dataSource = createDataSource(settings(more));
  try {
    await dataSource.initialize();
    await work(new Database(dataSource));
  } catch (error) {
    return error;
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
  throw new Error('nothing failed');
}

function urlWith(change: Partial<Pick<URL, 'hostname' | 'port' | 'username' | 'password' | 'pathname'>>): string {
  return Object.assign(new URL(server.url), change).href;
}

/** Longer than any test takes. */
const LONG_MS = 1_800_000;
const sleepStatement = { name: 'sleep', text: 'select pg_sleep($1)', values: [LONG_MS / 1_000] };

test.each([
  ['a closed port', { hostname: '127.0.0.1', port: '1' }],
  ['a host that does not exist', { hostname: 'database.invalid' }],
])('%s means unavailable', async (_, change) => {
  const error = await failure({ url: urlWith(change) });
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(isTimeout(error)).toBe(false);
});

test('a host that refuses connections on every address means unavailable', async () => {
  expect(isDatabaseUnavailable(await failure({ url: urlWith({ hostname: 'localhost', port: '1' }) }))).toBe(true);
});

test('too many connections mean unavailable', async () => {
  await query(server.url, `create role crowded login password 'crowded' connection limit 0`);
  const error = await failure({ url: urlWith({ username: 'crowded', password: 'crowded' }) });
  await query(server.url, 'drop role crowded');
  expect(['53300', '08P01']).toContain(sqlState(error)); // an old PgBouncer does not pass on the server's SQLSTATE
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test('a write that a standby refuses means unavailable: after a failover, another connection finds the new primary', async () => {
  const url = new URL(server.directUrl);
  // As on a standby, every transaction is read-only.
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const error = await failure({ url: url.href }, (database) =>
    database.run({ name: 'write', text: 'create table written ()', values: [] }),
  );
  expect([sqlState(error), isDatabaseUnavailable(error)]).toEqual(['25006', true]);
});

test('an exhausted pool means unavailable', async () => {
  const error = await failure({ connectionWaitMs: 1_000, statementTimeoutMs: 30_000 }, (database) =>
    Promise.all([1, 2].map(() => database.run({ name: 'sleep-5', text: 'select pg_sleep(5)', values: [] }))),
  );
  expect(String(error)).toContain('timeout exceeded when trying to connect');
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  ['a wrong password', { username: 'nobody', password: 'wrong' }],
  ['an unknown database', { pathname: '/nowhere' }],
])('%s means rejected, not unavailable', async (_, change) => {
  // An old PgBouncer does not pass on the server's SQLSTATE.
  const error = await failure({ url: Object.assign(new URL(server.directUrl), change).href });
  expect([isConnectionRejected(error), isDatabaseUnavailable(error)]).toEqual([true, false]);
});

test('a slow statement and a long lock wait mean timeout, not unavailable', async () => {
  const url = server.directUrl; // these limits belong to the session
  const slow = await failure({ url, statementTimeoutMs: 1_000 }, (database) => database.run(sleepStatement));
  const locked = await failure({ url, poolSize: 2, lockTimeoutMs: 100 }, (database) =>
    database.transaction(async (run) => {
      await run({ name: 'lock', text: 'select pg_advisory_xact_lock(1)', values: [] });
      await database.run({ name: 'lock', text: 'select pg_advisory_xact_lock(1)', values: [] });
    }),
  );
  expect([slow, locked].map(sqlState)).toEqual(['57014', '55P03']);
  expect([slow, locked].map(isTimeout)).toEqual([true, true]);
  expect([slow, locked].map(isDatabaseUnavailable)).toEqual([false, false]);
});

test("the errors of TypeORM's own queries are recognized too", async () => {
  const dataSource = await createDataSource(settings()).initialize();
  await dataSource.query('create table once (id int primary key)');
  await dataSource.query('insert into once values (1)');
  const duplicate: unknown = await dataSource.query('insert into once values (1)').catch((error: unknown) => error);
  const ended: unknown = await dataSource.query('select pg_terminate_backend(pg_backend_pid())').catch((error: unknown) => error);
  await dataSource.destroy();
  expect(isUniqueViolation(duplicate)).toBe(true);
  expect(isDatabaseUnavailable(ended)).toBe(true);
});

test('a server that stops while a service is connected means unavailable, and so does a closed pool', async () => {
  const own = await startTemporaryPostgres({ database: 'fibre' });
  const dataSource = await createDataSource(settings({ url: own.url, statementTimeoutMs: LONG_MS })).initialize();
  const database = new Database(dataSource);
  await database.ping();
  const running = database.run(sleepStatement).catch((error: unknown) => error);
  await own.stop();
  const errors = [await running, await database.ping().catch((error: unknown) => error)];
  await dataSource.destroy();
  errors.push(await database.ping().catch((error: unknown) => error));
  expect(errors.map(isDatabaseUnavailable)).toEqual([true, true, true]);
});
