import { setTimeout as sleep } from 'node:timers/promises';
import { isUniqueViolation } from '@fibre/database';
import { find, sql, useCounterDatabase } from './counter-database.js';

const { ask, connect, direct } = useCounterDatabase();
const prepared = sql(`select name from pg_prepared_statements where name like 'find-%'`);

test('a statement returns rows', async () => {
  const database = await connect();
  await database.run(sql('insert into counter values ($1, $2)', 1, 42));
  await expect(database.run(find)).resolves.toEqual([{ value: 42 }]);
});

test('a statement is prepared once per connection, with a name that is unique to its text', async () => {
  const database = await connect({ ...direct(), poolSize: 1, namedStatements: true });
  await database.run(find);
  await database.run(find);
  await expect(database.run(prepared)).resolves.toEqual([{ name: expect.stringMatching(/^find-counter-[0-9a-f]{12}$/) }]);
  await database.transaction((run) => run(find));
  await expect(database.run(prepared)).resolves.toHaveLength(1);
  await expect(database.run({ ...find, text: 'select 7 as value from generate_series(1, $1)' })).resolves.toEqual([{ value: 7 }]);
  await expect(database.run(prepared)).resolves.toHaveLength(2);
});

test('a connection keeps only a few prepared statements per label', async () => {
  const database = await connect({ ...direct(), poolSize: 1, namedStatements: true });
  for (let n = 0; n < 50; n++)
    await expect(database.run({ name: 'find-many', text: `select ${n} as n`, values: [] })).resolves.toEqual([{ n }]);
  await expect(database.run(sql(`select from pg_prepared_statements where name like 'find-many-%'`))).resolves.toHaveLength(4);
});

test('names can be switched off for poolers without prepared statements', async () => {
  const database = await connect({ poolSize: 1, namedStatements: false });
  await database.run(find);
  await database.transaction((run) => run(find));
  await expect(database.run(prepared)).resolves.toEqual([]);
});

test('the error behind a pooler that mixes up prepared statements names the setting', async () => {
  const database = await connect({ ...direct(), poolSize: 1, namedStatements: true });
  await database.run(find);
  // As if the pooler had given us another connection of the server.
  await database.run(sql('deallocate all'));
  await expect(database.run(find)).rejects.toThrow('set DATABASE_NAMED_STATEMENTS=false');
  await expect(database.run(find)).resolves.toEqual(expect.any(Array));
});

test('a prepared statement survives a migration that adds a column to its table', async () => {
  const database = await connect({ poolSize: 2 });
  const all = { name: 'all', text: 'select * from grown', values: [] };
  await ask('create table grown as select 1 as id');
  await Promise.all([database.run(all), database.run(all)]);
  await ask('alter table grown add column more int');
  await expect(database.run(all)).resolves.toEqual([{ id: 1, more: null }]);
  await expect(database.transaction((run) => run(all))).resolves.toEqual([{ id: 1, more: null }]);
  await expect(database.run(all)).resolves.toEqual([{ id: 1, more: null }]);
});

test.each([true, false])(
  'a function that waits for a migration of its table returns its rows (named statements: %s)',
  async (namedStatements) => {
    const database = await connect({ poolSize: 2, namedStatements });
    const insert = { name: 'insert', text: 'select id from insert_changing()', values: [] };
    await ask('drop table if exists changing cascade');
    await ask('create table changing (id int)');
    await ask(`create function insert_changing() returns changing language plpgsql as $$
    declare one changing; begin insert into changing values (1) returning * into one; return one; end $$`);
    await Promise.all([database.run(insert), database.run(insert)]);
    const others = [() => database.run(insert), () => database.transaction((run) => run(insert))];
    for (const [index, other] of others.entries()) {
      const migration = database.transaction(async (run) => {
        await run(sql(`alter table changing add column more_${index} int`));
        await sleep(500);
      });
      await sleep(200);
      await expect(other()).resolves.toEqual([{ id: 1 }]);
      await migration;
    }
    await expect(database.run(sql('select count(*)::int from changing'))).resolves.toEqual([{ count: 4 }]);
  },
);

test('a connection uses UTC, the limits and the name of the service', async () => {
  const database = await connect({ ...direct(), statementTimeoutMs: 1234, lockTimeoutMs: 567, applicationName: 'coverage-service' });
  const rows = await database.run(
    sql(
      `select name, setting from pg_settings where name = any($1) order by name`,
      [['TimeZone', 'application_name', 'idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout']].flat(),
    ),
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    TimeZone: 'UTC',
    application_name: 'coverage-service',
    idle_in_transaction_session_timeout: '15000',
    lock_timeout: '567',
    statement_timeout: '1234',
  });
});

test('the connection of a rejected statement stays in the pool', async () => {
  const database = await connect({ poolSize: 1 });
  const pid = sql('select pg_backend_pid() as pid');
  const [before] = await database.run(pid);
  await database.run(sql('insert into counter values (1, 1)'));
  const refused = await database.run(sql('insert into counter values (1, 1)')).catch((error: unknown) => error);
  expect(isUniqueViolation(refused)).toBe(true);
  await expect(database.run(pid)).resolves.toEqual([before]);
});

test('the connection of a statement that waited too long for a lock stays in the pool', async () => {
  const database = await connect({ poolSize: 1, lockTimeoutMs: 10 });
  const holder = await connect({ poolSize: 1 });
  const pid = sql('select pg_backend_pid() as pid');
  const [before] = await database.run(pid);
  const lock = { name: 'lock-counter', text: 'select from counter where id = 2 for update', values: [] };
  await holder.run(sql('insert into counter values (2, 1)'));
  await holder.transaction(async (run) => {
    await run(lock);
    await expect(database.run(lock)).rejects.toMatchObject({ code: '55P03' });
  });
  await expect(database.run(pid)).resolves.toEqual([before]);
});

test('a connection on which a statement could not be prepared is replaced, because poolers remember statement names', async () => {
  const database = await connect({ poolSize: 1 });
  const late = { name: 'find-late', text: 'select id from late', values: [] };
  await expect(database.run(late)).rejects.toMatchObject({ code: '42P01' });
  await ask('create table late as select 1 as id');
  await expect(database.run(late)).resolves.toEqual([{ id: 1 }]);

  const directly = await connect({ ...direct(), poolSize: 1, namedStatements: true });
  const pid = sql('select pg_backend_pid() as pid');
  const [before] = await directly.run(pid);
  await expect(directly.run({ ...late, text: 'select nothing from late' })).rejects.toMatchObject({ code: '42703' });
  await expect(directly.run(pid)).resolves.not.toEqual([before]);
});
