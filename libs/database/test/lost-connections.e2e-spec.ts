import { setTimeout as sleep } from 'node:timers/promises';
import { sql, useCounterDatabase } from './counter-database.js';

const { ask, connect } = useCounterDatabase();

const self = sql('select pg_backend_pid() as pid');
const terminate = (pid: unknown) => ask('select pg_terminate_backend($1, 5000)', [pid]);

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
