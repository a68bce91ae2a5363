import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { ContentionError, createDataSource, Database, type DataSourceSettings, isUniqueViolation, MAX_TRANSACTION_ATTEMPTS } from '@fibre/database';
import { query, startTestDatabase } from './test-database.js';

let server: Awaited<ReturnType<typeof startTestDatabase>>;
const open: DataSource[] = [];

beforeAll(async () => {
  server = await startTestDatabase();
  await query(server.url, 'create table counter (id int constraint counter_pk primary key, value int not null)');
});
beforeEach(() => query(server.url, 'truncate counter'));
afterEach(() => Promise.all(open.splice(0).map((dataSource) => dataSource.destroy())));
afterAll(() => server.stop());

async function connect(settings: Partial<DataSourceSettings> & { namedStatements?: boolean } = {}): Promise<Database> {
  const dataSource = createDataSource({ url: server.url, poolSize: 5, applicationName: 'spec', entities: [], migrations: [], ...settings });
  open.push(await dataSource.initialize());
  return new Database(dataSource, settings);
}

function sql(text: string, ...values: unknown[]) {
  return { name: text.slice(0, 60), text, values };
}

/** Lets `count` callers go once all of them have come; later ones pass. */
function barrier(count: number): () => Promise<void> {
  let release: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  return async () => {
    if (--count <= 0) release();
    await all;
  };
}

const prepared = sql(`select name from pg_prepared_statements where name like 'find-%'`);
const find = { name: 'find-counter', text: 'select value from counter where id = $1', values: [1] };

describe('statements', () => {
  test('a statement gives rows', async () => {
    const database = await connect();
    await database.run(sql('insert into counter values ($1, $2)', 1, 42));
    await expect(database.run(find)).resolves.toEqual([{ value: 42 }]);
  });

  test('a statement is prepared under its name once per connection', async () => {
    const database = await connect({ poolSize: 1 });
    await database.run(find);
    await database.run(find);
    await expect(database.run(prepared)).resolves.toEqual([{ name: 'find-counter' }]);
    await database.transaction((run) => run(find));
    await expect(database.run(prepared)).resolves.toEqual([{ name: 'find-counter' }]);
  });

  test('names are switched off for a pooler that cannot carry them', async () => {
    const database = await connect({ poolSize: 1, namedStatements: false });
    await database.run(find);
    await database.transaction((run) => run(find));
    await expect(database.run(prepared)).resolves.toEqual([]);
  });

  test('a prepared statement outlives a migration that adds a column to its table', async () => {
    const database = await connect({ poolSize: 2 });
    const all = { name: 'all', text: 'select * from grown', values: [] };
    await query(server.url, 'create table grown as select 1 as id');
    await Promise.all([database.run(all), database.run(all)]);
    await query(server.url, 'alter table grown add column more int');
    await expect(database.run(all)).resolves.toEqual([{ id: 1, more: null }]);
    await expect(database.transaction((run) => run(all))).resolves.toEqual([{ id: 1, more: null }]);
    await expect(database.run(all)).resolves.toEqual([{ id: 1, more: null }]);
  });

  test('a connection speaks UTC and carries the limits and the name of the service', async () => {
    const database = await connect({ statementTimeoutMs: 1234, lockTimeoutMs: 567, applicationName: 'coverage-service' });
    const rows = await database.run(
      sql(`select name, setting from pg_settings where name = any($1) order by name`, [
        ['TimeZone', 'application_name', 'idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout'],
      ].flat()),
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      application_name: 'coverage-service',
      idle_in_transaction_session_timeout: '15000',
      lock_timeout: '567',
      statement_timeout: '1234',
    });
  });

  test('a refused statement keeps its connection', async () => {
    const database = await connect({ poolSize: 1 });
    const pid = sql('select pg_backend_pid() as pid');
    const [before] = await database.run(pid);
    await database.run(sql('insert into counter values (1, 1)'));
    const refused = await database.run(sql('insert into counter values (1, 1)')).catch((error: unknown) => error);
    expect(isUniqueViolation(refused)).toBe(true);
    await expect(database.run(pid)).resolves.toEqual([before]);
  });
});

describe('transactions', () => {
  test('what returns is committed, what throws is rolled back', async () => {
    const database = await connect({ poolSize: 1 });
    await expect(database.transaction(async (run) => (await run(sql('insert into counter values (1, 1) returning value')))[0])).resolves.toEqual({ value: 1 });
    const failure = database.transaction(async (run) => {
      await run(sql('insert into counter values (2, 2)'));
      throw new Error('changed my mind');
    });
    await expect(failure).rejects.toThrow('changed my mind');
    await expect(database.run(sql('select id from counter'))).resolves.toEqual([{ id: 1 }]);
  });

  test('concurrent increments under repeatable read (40001) are all counted', async () => {
    const database = await connect();
    await database.run(sql('insert into counter values (1, 0)'));
    const together = barrier(5);
    let attempts = 0;
    const increment = () =>
      database.transaction(async (run) => {
        attempts++;
        await run(sql('set transaction isolation level repeatable read'));
        const [row] = await run<{ value: number }>(find);
        await together();
        await run(sql('update counter set value = $1 where id = 1', (row?.value ?? NaN) + 1));
      });
    await Promise.all(Array.from({ length: 5 }, increment));
    await expect(database.run(find)).resolves.toEqual([{ value: 5 }]);
    expect(attempts).toBeGreaterThan(5);
  });

  test('the loser of a deadlock (40P01) runs again', async () => {
    const database = await connect();
    await database.run(sql('insert into counter values (1, 0), (2, 0)'));
    const together = barrier(2);
    let attempts = 0;
    const bump = (first: number, second: number) =>
      database.transaction(async (run) => {
        attempts++;
        await run(sql('update counter set value = value + 1 where id = $1', first));
        await together();
        await run(sql('update counter set value = value + 1 where id = $1', second));
      });
    await Promise.all([bump(1, 2), bump(2, 1)]);
    await expect(database.run(sql('select value from counter order by id'))).resolves.toEqual([{ value: 2 }, { value: 2 }]);
    // Who lost may meet the other once more.
    expect(attempts).toBeGreaterThanOrEqual(3);
  });

  test('a transaction that always meets others ends in a ContentionError', async () => {
    const database = await connect();
    let attempts = 0;
    const failure = await database
      .transaction(async (run) => {
        attempts++;
        await run(sql(`do $$ begin raise exception 'met' using errcode = '40001'; end $$`));
      })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ContentionError);
    expect(failure).toMatchObject({ attempts: MAX_TRANSACTION_ATTEMPTS, cause: { code: '40001' } });
    expect(attempts).toBe(MAX_TRANSACTION_ATTEMPTS);
  });

  test('another SQLSTATE is retried only on request', async () => {
    const database = await connect();
    await database.run(sql('insert into counter values (1, 1)'));
    let id = 0;
    const insertNext = () => database.transaction((run) => run(sql('insert into counter values ($1, 0) returning id', ++id)), { retryOn: ['23505'] });
    await expect(insertNext()).resolves.toEqual([{ id: 2 }]);
    id = 0;
    await expect(database.transaction((run) => run(sql('insert into counter values ($1, 0)', ++id)))).rejects.toMatchObject({ code: '23505' });
    expect(id).toBe(1);
  });

  test('a transaction that hides a failed statement is not taken for committed', async () => {
    const database = await connect();
    const hiding = database.transaction(async (run) => {
      await run(sql('insert into counter values (1, 1)'));
      await run(sql('select 1 / 0')).catch(() => undefined);
    });
    await expect(hiding).rejects.toThrow('rolled back because one of its statements failed');
    await expect(database.run(sql('select id from counter'))).resolves.toEqual([]);
  });
});

describe('lost connections', () => {
  const self = sql('select pg_backend_pid() as pid');
  const terminate = (pid: unknown) => query(server.url, 'select pg_terminate_backend($1, 5000)', [pid]);

  test('the pool replaces an idle connection that the server ended', async () => {
    const database = await connect({ poolSize: 1 });
    const [row] = await database.run(self);
    await terminate(row?.pid);
    await sleep(50);
    const [next] = await database.run(self);
    expect(next?.pid).not.toBe(row?.pid);
  });

  test('a statement whose connection is ended fails, the next one works', async () => {
    const database = await connect({ poolSize: 1 });
    const [row] = await database.run(self);
    const sleeping = database.run(sql('select pg_sleep(5)')).catch((error: unknown) => error);
    await sleep(50);
    await terminate(row?.pid);
    await expect(sleeping).resolves.toMatchObject({ code: '57P01' });
    await expect(database.ping()).resolves.toBeUndefined();
  });

  test('a transaction whose connection is ended between two statements fails, the next one works', async () => {
    const database = await connect({ poolSize: 1 });
    const broken = database.transaction(async (run) => {
      const [row] = await run(self);
      await terminate(row?.pid);
      await sleep(50);
      await run(self);
    });
    await expect(broken).rejects.toThrow(/not queryable|terminat/);
    await expect(database.transaction((run) => run(sql('select 1 as one')))).resolves.toEqual([{ one: 1 }]);
  });
});
